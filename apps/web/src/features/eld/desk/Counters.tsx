import type { BoardRow, RouteAnswer, readBoard, SHOWN_STATUSES } from '@milepost/contract';
import { IconAlertOctagon, IconClockExclamation, IconFileAlert, IconUserQuestion } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { formatCount, listOf } from '../../../format/locale.ts';
import { isSoon, isViolating } from '../../../logbook/attention.ts';
import { clocksAt, tightest } from '../../../logbook/clocks.ts';
import { ruleWords } from '../../../logbook/rule-words.ts';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import type { Shown } from './board-order.ts';
import styles from './Counters.module.css';

interface Props {
  readonly board: RouteAnswer<typeof readBoard>;
  readonly nowMs: number;
  readonly shown: Shown | undefined;
  readonly onShow: (shown: Shown) => void;
  readonly onUnidentified: () => void;
}

/** At most this many names are shown. */
const NAMED = 2;

/** What needs attention now, each a filter of the board, and how many drivers are in each status. */
export function Counters({ board: { rows, unidentified }, nowMs, shown, onShow, onUnidentified }: Props) {
  const { t } = useTranslation(['eld', 'logbook']);
  const violating = rows.filter(row => isViolating(row, nowMs));
  const soon = rows.filter(row => isSoon(row, nowMs));
  const uncertified = rows.filter(({ uncertifiedDays }) => uncertifiedDays > 0);
  const days = uncertified.reduce((sum, row) => sum + row.uncertifiedDays, 0);
  const of = (some: readonly BoardRow[], why: (row: BoardRow) => string): string => {
    const named = some.slice(0, NAMED).map(row => `${row.name}, ${why(row)}`);
    return some.length > NAMED
      ? t('counters.more', { names: named.join(' · '), n: formatCount(some.length - NAMED) })
      : named.join(' · ');
  };
  const counters = [
    {
      id: 'violation',
      Icon: IconAlertOctagon,
      n: violating.length,
      of: of(violating, row => {
        const open = row.violations.find(({ isOpen }) => isOpen);
        return open ? ruleWords(t, open.rule) : t(`logbook:clock.${tightest(clocksAt(row, nowMs)).name}`);
      }),
    },
    {
      id: 'soon',
      Icon: IconClockExclamation,
      n: soon.length,
      of: of(soon, row => t(`logbook:clock.${tightest(clocksAt(row, nowMs)).name}`)),
    },
    {
      id: 'uncertified',
      Icon: IconFileAlert,
      n: days,
      of: days > 0 ? t('counters.drivers', { count: uncertified.length, n: formatCount(uncertified.length) }) : '',
    },
  ] as const;
  return (
    <div className={styles.counters}>
      {counters.map(({ id, Icon, n, of: who }) => (
        <button
          key={id}
          type="button"
          className={styles.counter}
          data-kind={id}
          data-none={n === 0 || undefined}
          aria-pressed={shown === id}
          onClick={() => onShow(id)}
        >
          <Icon size={24} stroke={1.75} aria-hidden />
          <b>{formatCount(n)}</b>
          <span>
            <strong>{t(`counters.${id}`, { count: n })}</strong>
            {who && <small>{who}</small>}
          </span>
        </button>
      ))}
      <button
        type="button"
        className={styles.counter}
        data-kind="unidentified"
        data-none={unidentified.minutes === 0 || undefined}
        onClick={onUnidentified}
      >
        <IconUserQuestion size={24} stroke={1.75} aria-hidden />
        <b>{formatCount(unidentified.minutes)}</b>
        <span>
          <strong>{t('counters.unidentified', { count: unidentified.minutes })}</strong>
          {unidentified.segments > 0 && (
            <small>
              {listOf([
                t('counters.segments', { count: unidentified.segments, n: formatCount(unidentified.segments) }),
                t('counters.vehicles', { count: unidentified.vehicles, n: formatCount(unidentified.vehicles) }),
              ])}
            </small>
          )}
        </span>
      </button>
      <Mix rows={rows} />
    </div>
  );
}

/** Number of drivers in each status. */
function Mix({ rows }: { readonly rows: readonly BoardRow[] }) {
  const { t } = useTranslation(['eld', 'logbook']);
  const counts = (['D', 'ON', 'SB', 'OFF', 'PC', 'YM'] as const satisfies readonly (typeof SHOWN_STATUSES)[number][])
    .map(status => ({ status, n: rows.filter(row => row.status === status).length }))
    .filter(({ n }) => n > 0);
  return (
    <section className={styles.mix} aria-label={t('mix', { count: rows.length, n: formatCount(rows.length) })}>
      <h2>{t('mix', { count: rows.length, n: formatCount(rows.length) })}</h2>
      <div className={styles.shares} aria-hidden="true">
        {counts.map(({ status, n }) => (
          <i key={status} data-duty={status} style={{ flex: n }} />
        ))}
      </div>
      <ul>
        {counts.map(({ status, n }) => (
          <li key={status}>
            <DutyChip status={status} label={t(`logbook:status.${status}`)} /> {formatCount(n)}
          </li>
        ))}
      </ul>
    </section>
  );
}
