import { Outlet } from 'react-router';
import styles from './BarePage.module.css';

/** A page without the shell, for users who are not signed in. */
export function BarePage() {
  return (
    <main className={styles.alone}>
      <Outlet />
    </main>
  );
}
