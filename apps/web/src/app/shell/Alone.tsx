import { Outlet } from 'react-router';
import styles from './Alone.module.css';

/** A page without the shell, for who is not signed in. */
export function Alone() {
  return (
    <main className={styles.alone}>
      <Outlet />
    </main>
  );
}
