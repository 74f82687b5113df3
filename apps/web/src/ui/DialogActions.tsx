import type { ReactNode } from 'react';
import styles from './DialogActions.module.css';

/** A dialog's buttons: cancel first, the main action last. */
export const DialogActions = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.actions}>{children}</div>
);
