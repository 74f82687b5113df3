import type { ComponentPropsWithRef } from 'react';
import { Field, type FieldLook } from './Field.tsx';
import styles from './TextField.module.css';

type Props<Tag extends 'input' | 'textarea'> = FieldLook & Omit<ComponentPropsWithRef<Tag>, 'className'>;

export function TextField({ label, optional, hint, error, className, ...input }: Props<'input'>) {
  return (
    <Field {...{ label, optional, hint, error, className }}>
      {control => <input type="text" {...input} {...control} />}
    </Field>
  );
}

/** A field for several lines. It grows with its text. */
export function TextArea({ label, optional, hint, error, className, ...area }: Props<'textarea'>) {
  return (
    <Field {...{ label, optional, hint, error, className }}>
      {control => <textarea rows={3} {...area} {...control} className={`${control.className} ${styles.area}`} />}
    </Field>
  );
}
