import { endOfDay, hourOfDay } from '../format/time.ts';
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
const LABELED_HOURS = [0, 6, 12, 18] as const;

/** A day's driving above a ruler of hours: tall ticks at hours, short ones at quarter hours. */
export function DayStrip({ segments, fromMs, toMs, nowMs, label }: Props) {
  const share = (ms: number): string =>
    `${(Math.max(0, Math.min(1, (ms - fromMs) / (toMs - fromMs))) * 100).toFixed(3)}%`;
  // A day on which the clocks change has 23 or 25 hours.
  const hours = Math.round((toMs - fromMs) / HOUR_MS);
  // The user's hours, as everywhere: a day of the account may begin at another one than midnight.
  const labels = [fromMs, endOfDay(fromMs)]
    .flatMap(dayMs => LABELED_HOURS.map(hour => ({ hour, ms: hourOfDay(dayMs, hour) })))
    .filter(({ ms }) => ms >= fromMs && ms <= toMs);
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
        {labels.map(({ hour, ms }) => (
          <span
            key={ms}
            style={{ left: share(ms) }}
            data-edge={ms === fromMs ? 'start' : ms === toMs ? 'end' : undefined}
          >
            {hour === 0 && ms === toMs ? 24 : hour}
          </span>
        ))}
      </div>
    </div>
  );
}
