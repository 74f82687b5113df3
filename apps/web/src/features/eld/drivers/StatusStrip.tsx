import type { LogDay, ShownStatus } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatTotal } from '../../../format/duration.ts';
import { listOf } from '../../../format/locale.ts';
import { spansOf } from '../../../logbook/log-shape.ts';
import styles from './StatusStrip.module.css';

interface Props {
  readonly days: readonly Pick<LogDay, 'from' | 'to' | 'segments'>[];
  readonly fromMs: number;
  readonly toMs: number;
}

/** What a driver did between two moments, as one bar; screen readers get the totals as a sentence. */
export function StatusStrip({ days, fromMs, toMs }: Props) {
  const { t } = useTranslation(['eld', 'logbook']);
  const spans = days
    .flatMap(spansOf)
    .map(({ status, fromMs: start, toMs: end }) => ({
      status,
      start: Math.max(start, fromMs),
      end: Math.min(end, toMs),
    }))
    .filter(({ start, end }) => end > start)
    .toSorted((one, other) => one.start - other.start);
  if (spans.length === 0) return <span className={styles.none}>–</span>;
  const totals = new Map<ShownStatus, number>();
  for (const { status, start, end } of spans) totals.set(status, (totals.get(status) ?? 0) + end - start);
  const label = listOf([...totals].map(([status, ms]) => `${t(`logbook:status.${status}`)} ${formatTotal(ms)}`));
  const share = (ms: number): string => `${(((ms - fromMs) / (toMs - fromMs)) * 100).toFixed(2)}%`;
  return (
    <span className={styles.strip} role="img" aria-label={label}>
      {spans.map(({ status, start, end }) => (
        <i
          key={start}
          data-duty={status}
          style={{ insetInlineStart: share(start), width: share(fromMs + end - start) }}
        />
      ))}
    </span>
  );
}
