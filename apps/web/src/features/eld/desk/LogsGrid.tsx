import type { BoardRow, listLogDays, RouteAnswer } from '@milepost/contract';
import { IconAlertCircle, IconCircleCheck, IconEdit, IconFileAlert, IconSignature } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { clockFigure } from '../../../format/duration.ts';
import { useFromNow } from '../../../live/view.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { wholeMinutes } from '../../../logbook/whole-minutes.ts';
import { paths } from '../../../paths.ts';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import hidden from '../../../ui/hidden.module.css';
import frame from '../../../ui/table.module.css';
import { daysQuery } from '../queries.ts';
import { Stale } from '../Stale.tsx';
import { type DayState, stateOfDay } from './day-state.ts';
import styles from './List.module.css';

type Day = RouteAnswer<typeof listLogDays>[number];

const ICONS: Readonly<Record<DayState, typeof IconEdit>> = {
  violation: IconAlertCircle,
  proposed: IconEdit,
  errors: IconFileAlert,
  uncertified: IconSignature,
  today: IconSignature,
  certified: IconCircleCheck,
};
const TONES: Readonly<Record<DayState, string | undefined>> = {
  violation: styles.critical,
  proposed: styles.warning,
  errors: styles.warning,
  uncertified: styles.warning,
  today: styles.quiet,
  certified: styles.ok,
};
const DAYS = 8;
const DAY_MS = 86_400_000;

/** Eight days of all drivers: how long they drove, and what is left to do for each day. Each day opens its log. */
export function LogsGrid({ rows }: { readonly rows: readonly BoardRow[] }) {
  const { t } = useTranslation(['eld', 'logbook']);
  // Half a day ahead of UTC, for terminals where the next day has already started.
  const to = useFromNow(ms => new Date(ms + DAY_MS / 2).toISOString().slice(0, 10));
  const from = new Date(Date.parse(`${to}T00:00:00Z`) - (DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
  const query = useQuery(daysQuery(from, to));
  const names = new Map(rows.map(({ driverId, name }) => [driverId, name]));
  const days = query.data ?? [];
  const dates = [...new Set(days.map(({ date }) => date))].toSorted().toReversed();
  const byDriver = Map.groupBy(days, ({ driverId }) => driverId);
  const drivers = [...byDriver.keys()]
    .map(id => ({ id, name: names.get(id) ?? '' }))
    .toSorted((one, other) => one.name.localeCompare(other.name));

  if (drivers.length === 0) {
    return (
      <RegistryState
        total={query.data?.length}
        error={query.error}
        onRetry={() => void query.refetch()}
        onClear={() => {}}
        empty={{ title: t('logs.empty.title'), text: t('logs.empty.text') }}
      />
    );
  }
  return (
    <>
      <Stale query={query} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <section className={styles.scroller} tabIndex={0} aria-label={t('tabs.logs')}>
        <table className={`${frame.table} ${styles.table}`}>
          <thead>
            <tr>
              <th scope="col">{t('columns.driver')}</th>
              {dates.map(date => (
                <th key={date} scope="col">
                  {logDate(date)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {drivers.map(({ id, name }) => (
              <tr key={id}>
                <th scope="row" className={styles.nowrap}>
                  {name}
                </th>
                {dates.map(date => {
                  const day = byDriver.get(id)?.find(one => one.date === date);
                  return <td key={date}>{day && <DayCell day={day} isToday={date === dates[0]} />}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

function DayCell({ day, isToday }: { readonly day: Day; readonly isToday: boolean }) {
  const { t } = useTranslation('eld');
  const state = stateOfDay(day, isToday);
  const Icon = ICONS[state];
  return (
    <Link to={paths.eldLog(day.driverId, day.date)} className={styles.cell}>
      <span className={TONES[state]} data-tooltip={t(`dayState.${state}`)} data-tooltip-side="top">
        <Icon size={15} stroke={1.75} aria-hidden />
      </span>
      {clockFigure(wholeMinutes(day.totals).D)}
      <span className={hidden.hidden}>{t(`dayState.${state}`)}</span>
    </Link>
  );
}
