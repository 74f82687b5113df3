import { Outlet } from 'react-router';
import styles from './BarePage.module.css';

/** A page without the shell, for visitors who aren't signed in. */
export function BarePage() {
  return (
    <main className={styles.alone}>
      <Outlet />
    </main>
  );
}
