import type { ReactNode } from 'react';
import styles from './DialogActions.module.css';

/** The buttons at a dialog's end: the way out first, what it is for last. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
