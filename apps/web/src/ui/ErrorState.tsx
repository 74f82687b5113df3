import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './ErrorState.module.css';

/** Replaces a page or panel that failed: says what happened, what is saved and how to continue. */
export function ErrorState({
  title,
  text,
  actions,
}: {
  readonly title: string;
  readonly text: string;
  readonly actions?: ReactNode;
}) {
  return (
    <div className={styles.state} role="alert">
      <IconAlertTriangle size={28} stroke={1.75} aria-hidden />
      <h2>{title}</h2>
      <p>{text}</p>
      <div className={styles.actions}>{actions}</div>
    </div>
  );
}
