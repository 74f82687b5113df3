import styles from './DutyChip.module.css';
import hidden from './hidden.module.css';

interface Props {
  /** OFF, SB, D, ON, PC or YM: always shown. */
  readonly status: string;
  /** The status in words, for screen readers and as a tooltip. */
  readonly label: string;
}

/** A duty status by its letters and its form: the color only repeats them. */
export function DutyChip({ status, label }: Props) {
  return (
    <span className={styles.chip} data-duty={status} title={label}>
      <span aria-hidden="true">{status}</span>
      <span className={hidden.hidden}>{label}</span>
    </span>
  );
}
