import type { ComponentPropsWithRef } from 'react';
import { Field, type FieldLook } from './Field.tsx';
import styles from './TextArea.module.css';

interface Props extends FieldLook, Omit<ComponentPropsWithRef<'textarea'>, 'className'> {}

/** A field for several lines, as high as what is in it. */
export function TextArea({ label, optional, hint, error, className, ...area }: Props) {
  return (
    <Field {...{ label, optional, hint, error, className }}>
      {control => <textarea rows={3} {...area} {...control} className={`${control.className} ${styles.area}`} />}
    </Field>
  );
}
