import { IconAlertCircle } from '@tabler/icons-react';
import { type ComponentPropsWithRef, type ReactNode, useId } from 'react';
import styles from './TextField.module.css';

interface Props extends ComponentPropsWithRef<'input'> {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong and what to do about it; stands by the field and is read out with it. */
  readonly error?: string | undefined;
}

/** A text field with its label above, its hint and its error below. */
export function TextField({ label, hint, error, className, ...input }: Props) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={className ? `${styles.field} ${className}` : styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        type="text"
        {...input}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy === '' ? undefined : describedBy}
      />
      {hint && (
        <span id={`${id}-hint`} className={styles.hint}>
          {hint}
        </span>
      )}
      {error && (
        <span id={`${id}-error`} className={styles.error}>
          <IconAlertCircle size={14} stroke={1.75} aria-hidden />
          {error}
        </span>
      )}
    </div>
  );
}
