import { type Geofence, may, type Visit } from '@milepost/contract';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAccountZone } from '../../base/account-settings.ts';
import { describeError } from '../../base/describe-error.ts';
import { download } from '../../base/download.ts';
import { RetryButton } from '../../base/RetryButton.tsx';
import { Skeleton } from '../../base/Skeleton.tsx';
import { useSession } from '../../base/session/session.ts';
import { shifted } from '../../figures/period.ts';
import { csvOf } from '../../format/csv.ts';
import { dayAfter, isoDateOf } from '../../format/date.ts';
import { formatDuration } from '../../format/duration.ts';
import { formatDay, formatMoment, formatTime, midnightOf, startOfDay } from '../../format/time.ts';
import { useInside } from '../../geofences/use-inside.ts';
import { useVisits } from '../../geofences/use-visits.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useFromNow, useMinute } from '../../live/view.ts';
import { paths } from '../../paths.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Plate } from '../../ui/Plate.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { evidenceOf, replayAt } from '../../vehicles/day/replay-at.ts';
import { Counting } from './Counting.tsx';
import styles from './VisitTabs.module.css';

const MINUTE_MS = 60_000;
const PERIODS = ['1', '7', '30'] as const;
/** If the fixes around a crossing are further apart than this, its time is a guess. */
const VAGUE_MS = 5 * MINUTE_MS;
/** Certainty of a crossing with a fix right at the edge. */
const UNSURE = 0.6;

function useVehicleNames() {
  const { data } = useQuery(vehicleListQuery);
  return (id: string) => data?.find(vehicle => vehicle.id === id);
}

/** The vehicles that are inside now, the first to enter at the top. */
export function InsideTab({ geofence }: { readonly geofence: Geofence }) {
  const { t } = useTranslation('visits');
  const { data, error, refetch } = useInside();
  const nowMs = useMinute();
  const vehicleOf = useVehicleNames();
  if (!data) return <NotYet error={error} onRetry={() => void refetch()} />;
  const inside = data.inside.filter(({ geofenceId }) => geofenceId === geofence.id);
  return (
    <>
      <Counting counting={data.counting} vehicles={data.vehicles} />
      {inside.length === 0 ? (
        <p className={styles.quiet}>{geofence.isOn ? t('nobody') : t('offNone')}</p>
      ) : (
        <>
          <ul className={styles.visits} aria-label={t('insideNow')}>
            {inside.map(({ deviceId, isAtLeast, since }) => (
              <li key={deviceId}>
                <VehicleName vehicle={vehicleOf(deviceId)} />
                <span className={styles.length}>{formatDuration(nowMs - Date.parse(since))}</span>
                <span className={styles.facts}>
                  {t(isAtLeast ? 'sinceAtLeast' : 'since', { time: formatMoment(Date.parse(since), nowMs) })}
                </span>
              </li>
            ))}
          </ul>
          <p className={styles.quiet}>{t('byLastReports')}</p>
        </>
      )}
    </>
  );
}

/** Visits of the last days, newest first. */
export function HistoryTab({ geofence }: { readonly geofence: Geofence }) {
  const { t } = useTranslation('visits');
  const [period, setPeriod] = useState<(typeof PERIODS)[number]>('7');
  const zone = useAccountZone();
  const today = useFromNow(ms => isoDateOf(ms, zone));
  const nowMs = useMinute();
  const vehicleOf = useVehicleNames();
  const asked = {
    geofenceId: geofence.id,
    fromMs: midnightOf(shifted(today, 1 - Number(period)), zone),
    toMs: midnightOf(dayAfter(today), zone),
  };
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = useVisits(asked);
  const visits = data?.pages.flatMap(page => page.visits) ?? [];
  const [newest] = data?.pages ?? [];
  const nameOf = ({ deviceId }: Visit): string => vehicleOf(deviceId)?.deviceName ?? t('unknownVehicle');
  const save = (): void =>
    download(
      new Blob([csvOf([['vehicle', 'in', 'out', 'minutes'], ...visits.map(visit => csvRow(visit, nameOf(visit)))])], {
        type: 'text/csv',
      }),
      `${geofence.name}.csv`,
    );
  const mayPack = useSession(({ me }) => me !== null && may(me, 'profile.write'));
  return (
    <>
      <div className={styles.head}>
        <Segments
          label={t('period')}
          segments={PERIODS.map(id => ({ id, label: t('days', { count: Number(id) }) }))}
          chosen={period}
          onChoose={setPeriod}
        />
        <IconButton label={t('export')} tooltip="left" bordered disabled={visits.length === 0} onClick={save}>
          <IconDownload size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </div>
      {newest && <Counting counting={newest.counting} vehicles={newest.vehicles} />}
      {error && newest && (
        <Notice tone="warning" role="alert">
          {t('failed', { message: describeError(error).message })}
        </Notice>
      )}
      {!newest && <NotYet error={error} onRetry={() => void refetch()} />}
      {newest && visits.length === 0 && (
        <p className={styles.quiet}>{geofence.isOn ? t('none') : `${t('none')} ${t('offNone')}`}</p>
      )}
      {visits.length > 0 && !hasNextPage && (
        <p className={styles.quiet}>
          {t('summary', { count: visits.length, mean: formatDuration(meanOf(visits, nowMs)) })}
        </p>
      )}
      <ol className={styles.visits} aria-label={t('list')}>
        {visits.map(visit => (
          <li key={visit.id}>
            <VehicleName vehicle={vehicleOf(visit.deviceId)} />
            <span className={styles.length}>
              {visit.isPass
                ? t('pass')
                : formatDuration((visit.exit ? Date.parse(visit.exit.at) : nowMs) - Date.parse(visit.entry.at))}
            </span>
            <VisitTimes visit={visit} />
            <span className={styles.links}>
              <Link to={replayAt(visit.deviceId, Date.parse(visit.entry.at))}>{t('replay')}</Link>
              {mayPack && (
                <Link
                  to={evidenceOf(
                    visit.deviceId,
                    Date.parse(visit.entry.at),
                    visit.exit ? Date.parse(visit.exit.at) : nowMs,
                  )}
                >
                  {t('evidence')}
                </Link>
              )}
            </span>
          </li>
        ))}
      </ol>
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  );
}

function VisitTimes({ visit: { entry, exit, isPass } }: { readonly visit: Visit }) {
  const { t } = useTranslation('visits');
  const inMs = Date.parse(entry.at);
  const outMs = exit && Date.parse(exit.at);
  const sameDay = outMs !== null && startOfDay(inMs) === startOfDay(outMs);
  const out = outMs === null ? t('still') : sameDay ? formatTime(outMs) : `${formatDay(outMs)} ${formatTime(outMs)}`;
  const vague = [entry, exit].flatMap(crossing => {
    if (!crossing?.after || Date.parse(crossing.before) - Date.parse(crossing.after) < VAGUE_MS) return [];
    return t('between', {
      from: formatTime(Date.parse(crossing.after)),
      to: formatTime(Date.parse(crossing.before)),
    });
  });
  const began = `${formatDay(inMs)} ${formatTime(inMs)}`;
  return (
    <span className={styles.facts}>
      <span>
        {entry.after === null ? t('sinceAtLeast', { time: began }) : began}
        {!isPass && ` – ${out}`}
      </span>
      {vague.length > 0 && <span>{vague.join(', ')}</span>}
      {Math.min(entry.confidence, exit?.confidence ?? 1) < UNSURE && entry.after !== null && <span>{t('unsure')}</span>}
    </span>
  );
}

interface Named {
  readonly imei: string;
  readonly deviceName: string;
}

function VehicleName({ vehicle }: { readonly vehicle: Named | undefined }) {
  const { t } = useTranslation('visits');
  if (!vehicle) return <b>{t('unknownVehicle')}</b>;
  return (
    <Link to={paths.vehicleOnMap(vehicle.imei)} className={styles.vehicle}>
      <Plate>{vehicle.deviceName}</Plate>
    </Link>
  );
}

function NotYet({ error, onRetry }: { readonly error: Error | null; readonly onRetry: () => void }) {
  const { t } = useTranslation('visits');
  if (!error) return <Skeleton bones={4} />;
  return (
    <div role="alert" className={styles.failed}>
      <p>{t('failed', { message: describeError(error).message })}</p>
      <RetryButton error={error} onRetry={onRetry} />
    </div>
  );
}

const meanOf = (visits: readonly Visit[], nowMs: number): number =>
  visits.reduce((sum, { entry, exit }) => sum + (exit ? Date.parse(exit.at) : nowMs) - Date.parse(entry.at), 0) /
  visits.length;

function csvRow({ entry, exit }: Visit, name: string): string[] {
  const minutes = exit && (Date.parse(exit.at) - Date.parse(entry.at)) / MINUTE_MS;
  return [name, entry.at, exit?.at ?? '', minutes === null ? '' : minutes.toFixed(1)];
}
