import type { ReactNode } from 'react';
import styles from './Plate.module.css';

interface Props {
  /** The vehicle's name, possibly with matching letters highlighted. */
  readonly children: ReactNode;
  readonly size?: 'md' | 'lg';
}

/** The name of a vehicle on a small plate with a teal top edge, as every page shows vehicles. */
export function Plate({ children, size = 'md' }: Props) {
  return (
    <span className={styles.plate} data-size={size}>
      {children}
    </span>
  );
}
