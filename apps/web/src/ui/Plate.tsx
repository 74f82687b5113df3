import type { ReactNode } from 'react';
import styles from './Plate.module.css';

interface Props {
  /** The vehicle's name, with matching letters marked. */
  readonly children: ReactNode;
  readonly size?: 'md' | 'lg';
}

/** A vehicle, always and everywhere: its name on a small plate with a teal top edge. */
export function Plate({ children, size = 'md' }: Props) {
  return (
    <span className={styles.plate} data-size={size}>
      {children}
    </span>
  );
}
