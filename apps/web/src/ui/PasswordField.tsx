import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentPropsWithRef, useState } from 'react';
import { Field, type FieldLook } from './Field.tsx';
import styles from './PasswordField.module.css';

interface Props extends FieldLook, Omit<ComponentPropsWithRef<'input'>, 'className' | 'type'> {
  /** Label of the button that shows the password. */
  readonly showLabel: string;
}

/** A password field with a button that shows the password. Pasting and password managers work (ASVS 6.2.7). */
export function PasswordField({ label, optional, hint, error, className, showLabel, ...input }: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? IconEyeOff : IconEye;
  return (
    <Field {...{ label, optional, hint, error, className }}>
      {control => (
        <span className={styles.frame}>
          <input
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            {...control}
            type={shown ? 'text' : 'password'}
            className={`${control.className} ${styles.input}`}
          />
          <button
            type="button"
            className={styles.show}
            aria-label={showLabel}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon size={18} stroke={1.75} aria-hidden />
          </button>
        </span>
      )}
    </Field>
  );
}
