import { IconAlertCircle } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import styles from './Field.module.css';

export interface FieldLook {
  readonly label: ReactNode;
  /** A note that the field is optional. Required is the default and isn't mentioned. */
  readonly optional?: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong and how to fix it. Shown at the field, and screen readers read it with the field. */
  readonly error?: string | undefined;
  readonly className?: string | undefined;
}

export interface ControlProps {
  readonly id: string;
  readonly className: string;
  readonly 'aria-invalid': true | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface Props extends FieldLook {
  readonly children: (control: ControlProps) => ReactNode;
}

/** Label above, control, hint and error below. Passes the control its ID and the IDs of its description. */
export function Field({ label, optional, hint, error, className, children }: Props) {
  const id = useId();
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={className ? `${styles.field} ${className}` : styles.field}>
      <label id={`${id}-label`} htmlFor={id}>
        {label} {optional && <span className={styles.optional}>{optional}</span>}
      </label>
      {children({
        id,
        className: styles.control ?? '',
        'aria-invalid': error ? true : undefined,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
      })}
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
