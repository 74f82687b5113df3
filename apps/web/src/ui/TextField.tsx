import type { ComponentPropsWithRef } from 'react';
import { Field, type FieldLook } from './Field.tsx';

interface Props extends FieldLook, Omit<ComponentPropsWithRef<'input'>, 'className'> {}

/** A text field with its label above, its hint and its error below. */
export function TextField({ label, optional, hint, error, className, ...input }: Props) {
  return (
    <Field {...{ label, optional, hint, error, className }}>
      {control => <input type="text" {...input} {...control} />}
    </Field>
  );
}
