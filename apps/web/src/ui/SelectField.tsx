import { IconChevronDown } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import { Field, type FieldLook } from './Field.tsx';
import styles from './SelectField.module.css';

export interface Option {
  readonly value: string;
  readonly label: string;
  readonly disabled?: boolean;
}

interface Props extends FieldLook, Omit<ComponentPropsWithRef<'select'>, 'className' | 'children'> {
  readonly options: readonly Option[];
}

/** One of several, by the browser's own list: known to every keyboard, screen reader and phone. */
export function SelectField({ label, optional, hint, error, className, options, ...select }: Props) {
  return (
    <Field {...{ label, optional, hint, error, className }}>
      {control => (
        <span className={styles.frame}>
          <select {...select} {...control} className={`${control.className} ${styles.select}`}>
            {options.map(option => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <IconChevronDown size={16} stroke={1.75} aria-hidden />
        </span>
      )}
    </Field>
  );
}
