import styles from './DutyChip.module.css';
import hidden from './hidden.module.css';

interface Props {
  /** OFF, SB, D, ON, PC or YM. */
  readonly status: string;
  /** The status in words, for screen readers and the tooltip. */
  readonly label: string;
}

/** A duty status, identified by its letters and shape. The color only repeats it. */
export function DutyChip({ status, label }: Props) {
  return (
    <span className={styles.chip} data-duty={status} title={label}>
      <span aria-hidden="true">{status}</span>
      <span className={hidden.hidden}>{label}</span>
    </span>
  );
}
