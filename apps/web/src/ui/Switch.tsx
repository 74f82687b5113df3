import type { ComponentPropsWithRef, ReactNode } from 'react';
import styles from './Switch.module.css';

interface Props extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'className'> {
  readonly children: ReactNode;
  /** The current setting as a word, shown between name and switch. */
  readonly value?: string;
  readonly hint?: ReactNode;
}

/** Turns a setting on or off at once. The name is at the left. */
export function Switch({ children, value, hint, ...input }: Props) {
  return (
    <label className={styles.row}>
      <span className={styles.name}>
        <b>{children}</b>
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
      {value && <span className={styles.value}>{value}</span>}
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a checkbox says by itself whether it is on. */}
      <input {...input} type="checkbox" role="switch" className={styles.switch} />
    </label>
  );
}
