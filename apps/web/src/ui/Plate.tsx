import styles from './Plate.module.css';

interface Props {
  readonly children: string;
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
