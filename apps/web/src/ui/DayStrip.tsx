import { hourOfDay } from '../format/time.ts';
import styles from './DayStrip.module.css';

export interface StripSegment {
  readonly kind: 'moving' | 'idling' | 'stopped' | 'gap' | 'private';
  readonly fromMs: number;
  readonly toMs: number;
}

interface Props {
  readonly segments: readonly StripSegment[];
  readonly fromMs: number;
  readonly toMs: number;
  /** The current time, shown as a hand. Omit it for a past day. */
  readonly nowMs?: number;
  /** Describes the whole strip in one sentence, for screen readers. */
  readonly label: string;
}

const HOUR_MS = 3_600_000;
const LABEL_EVERY_HOURS = 6;

/** A day's driving above a ruler of hours: tall ticks at hours, short ones at quarter hours. */
export function DayStrip({ segments, fromMs, toMs, nowMs, label }: Props) {
  const share = (ms: number): string =>
    `${(Math.max(0, Math.min(1, (ms - fromMs) / (toMs - fromMs))) * 100).toFixed(3)}%`;
  // A day on which the clocks change has 23 or 25 hours.
  const hours = Math.round((toMs - fromMs) / HOUR_MS);
  return (
    <div className={styles.root} role="img" aria-label={label}>
      <div className={styles.bars}>
        {segments.map(({ kind, fromMs: start, toMs: end }) => (
          <i
            key={start}
            className={styles.segment}
            data-kind={kind}
            style={{ left: share(start), right: `calc(100% - ${share(end)})` }}
          />
        ))}
        {nowMs !== undefined && <i className={styles.now} style={{ left: share(nowMs) }} />}
      </div>
      <div className={styles.ruler} style={{ '--hours': hours } as React.CSSProperties} />
      <div className={styles.labels}>
        {Array.from({ length: Math.floor(24 / LABEL_EVERY_HOURS) + 1 }, (_, i) => i * LABEL_EVERY_HOURS).map(hour => (
          <span key={hour} style={{ left: hour === 24 ? '100%' : share(hourOfDay(fromMs, hour)) }} data-hour={hour}>
            {hour}
          </span>
        ))}
      </div>
    </div>
  );
}
