import type { BoardRow } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { NotLoaded } from '../../../base/NotLoaded.tsx';
import { boardQuery } from '../../../changes/keep-board.ts';
import { formatAge, formatDuration } from '../../../format/duration.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useFromNow } from '../../../live/view.ts';
import { ClockParts } from '../../../logbook/ClockParts.tsx';
import { CLOCKS, clocksAt } from '../../../logbook/clocks.ts';
import { homeWhen } from '../../../logbook/home-time.ts';
import { paths } from '../../../paths.ts';
import { DutyChip } from '../../../ui/DutyChip.tsx';
import { driverOf } from '../../../vehicles/vehicle-words.ts';
import styles from './HoursTab.module.css';

/** The clocks are computed only as often as their figures could change. */
const EVERY_MS = 5000;
const BINDINGS = ['drive', 'window', 'onDuty', 'break', 'cycle', 'timeOff'] as const;
const EXEMPT = ['agriculture', 'emergencyRelief'] as const;

/** The hours of those who are signed in to the vehicle, or else of the driver who has it. */
export function Component({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('logbook');
  const { data, error, refetch } = useQuery(boardQuery);
  if (!data) return <NotLoaded className={styles.tab} error={error} onRetry={() => void refetch()} />;
  const inside = data.rows.filter(({ vehicle }) => vehicle?.id === entry.vehicle.id);
  const driverId = driverOf(entry)?.id;
  const rows = inside.length > 0 ? inside : data.rows.filter(row => row.driverId === driverId);
  if (rows.length === 0) return <p className={styles.tab}>{t('hours.none')}</p>;
  return (
    <div className={styles.tab}>
      {rows.map(row => (
        <Hours key={row.driverId} row={row} />
      ))}
    </div>
  );
}

function Hours({ row }: { readonly row: BoardRow }) {
  const { t } = useTranslation('logbook');
  const nowMs = useFromNow(ms => Math.floor(ms / EVERY_MS) * EVERY_MS);
  const { driverId, name, since, status, syncAt, uncertifiedDays, violations } = row;
  const clocks = clocksAt(row, nowMs);
  const words = t(`status.${status}`);
  const notes = [
    violations.length > 0 && t('hours.violations', { count: violations.length }),
    uncertifiedDays > 0 && t('hours.uncertified', { count: uncertifiedDays }),
    syncAt !== null && t('hours.phone', { age: formatAge(Math.max(0, nowMs - Date.parse(syncAt))) }),
  ].filter(Boolean);
  return (
    <section className={styles.driver} aria-label={t('hours.label', { name })}>
      <header>
        <DutyChip status={status} label={words} />
        <b>{name}</b>
        <span>
          {since === null
            ? words
            : t('hours.since', {
                status: words,
                duration: formatDuration(Math.max(0, nowMs - Date.parse(since))),
              })}
        </span>
      </header>
      <p className={styles.says} data-late={row.mustStopBy === null || undefined}>
        {saysOf(row, nowMs, t)}
      </p>
      <ul className={styles.clocks}>
        {CLOCKS.flatMap(clock => {
          const { leftS = 0, limitS = 0 } = clocks[clock] ?? {};
          if (limitS === 0) return [];
          return (
            <li key={clock} data-binds={clock === row.binds || undefined}>
              <ClockParts clock={clock} leftS={leftS} limitS={limitS} />
            </li>
          );
        })}
      </ul>
      <footer>
        <span data-late={violations.length > 0 || undefined}>{notes.join(' · ')}</span>
        <Link to={paths.eldLog(driverId)}>{t('hours.openLog')}</Link>
      </footer>
    </section>
  );
}

type Translate = ReturnType<typeof useTranslation<'logbook'>>['t'];

/** When the driver must stop, or may drive again, and which limit says so. */
function saysOf(
  { binds, exempt, mayDriveAgainAt, mustStopBy, status, timeZone }: BoardRow,
  nowMs: number,
  t: Translate,
): string {
  const exemption = EXEMPT.find(one => one === exempt);
  if (exemption) return t(`hours.exempt.${exemption}`);
  const when = (iso: string): string => homeWhen(Date.parse(iso), nowMs, timeZone);
  const says =
    mustStopBy !== null
      ? t(status === 'D' ? 'hours.stopBy' : 'hours.driveUntil', { time: when(mustStopBy) })
      : mayDriveAgainAt !== null
        ? t('hours.driveAgain', { time: when(mayDriveAgainAt) })
        : t('hours.mustRest');
  const binding = BINDINGS.find(one => one === binds);
  return binding ? `${says} · ${t(`hours.because.${binding}`)}` : says;
}
