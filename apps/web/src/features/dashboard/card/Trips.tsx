import { type Leg, may, type Vehicle } from '@milepost/contract';
import { metres, metresPerSecond } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { describeError } from '../../../base/describe-error.ts';
import { Skeleton } from '../../../base/Skeleton.tsx';
import { useSession } from '../../../base/session/session.ts';
import { isoDateOf } from '../../../format/date.ts';
import { formatDuration, formatTotal } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';
import { distanceFigure, joined, type MeasureSystem, speedFigure } from '../../../format/measure.ts';
import { formatCoordinates, placeWords } from '../../../format/place.ts';
import { formatDay, formatMoment, formatTime } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useMinute } from '../../../live/view.ts';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { evidenceOf, replayAt } from '../../../vehicles/day/replay-at.ts';
import { useTrips } from '../../../vehicles/day/use-trips.ts';
import styles from './Trips.module.css';

const SHAPES = { trip: 'moving', stop: 'stopped', gap: 'no-data' } as const;

interface Props {
  readonly vehicle: Vehicle;
  /** Start of the account's day. */
  readonly fromMs: number;
  readonly zone: string | undefined;
  readonly isToday: boolean;
}

/** The day's trips and stops, newest first, because people look for what is going on now. */
export function Trips({ vehicle, fromMs, zone, isToday }: Props) {
  const { t } = useTranslation('vehicleDay');
  const { trips, error } = useTrips(vehicle, fromMs);
  if (!trips) {
    if (!error) return <Skeleton bones={4} />;
    return (
      <p role="alert">
        {t(isToday ? 'tripsFailed' : 'tripsFailedThen')}: {describeError(error).message}
      </p>
    );
  }
  const { countedTo, isBehind, legs } = trips;
  return (
    <>
      {isBehind && (
        <p className={styles.behind} role="status">
          {countedTo === null
            ? t('counting')
            : t('countedTo', { time: formatMoment(Date.parse(countedTo), Date.now()) })}
        </p>
      )}
      {legs.length > 0 && (
        <ol className={styles.legs} aria-label={t(isToday ? 'trips' : 'tripsThen')}>
          {legs.map((leg, nth) => (
            <LegRow
              key={leg.from}
              vehicleId={vehicle.id}
              date={isoDateOf(fromMs, zone)}
              leg={leg}
              stop={leg.kind === 'stop' ? legs.slice(nth).filter(({ kind }) => kind === 'stop').length : null}
              isArrivalShown={legs[nth - 1]?.kind !== 'stop'}
            />
          ))}
        </ol>
      )}
    </>
  );
}

interface RowProps {
  readonly vehicleId: string;
  /** The date of the day shown. */
  readonly date: string;
  readonly leg: Leg;
  /** The day's stops are numbered from 1. */
  readonly stop: number | null;
  readonly isArrivalShown: boolean;
}

function LegRow({ vehicleId, date, leg, stop, isArrivalShown }: RowProps) {
  const { t } = useTranslation('vehicleDay');
  const system = useMeasureSystem();
  const nowMs = useMinute();
  const [fromMs, toMs] = [Date.parse(leg.from), Date.parse(leg.to)];
  const place = placeOf(leg.kind === 'trip' ? leg.end : (leg.start ?? leg.end), system);
  const distance = joined(distanceFigure(metres(leg.distanceM), system));
  const mayPack = useSession(({ me }) => me !== null && may(me, 'profile.write')) && leg.kind !== 'gap';
  const facts =
    leg.kind === 'trip'
      ? tripFacts(leg, system, t)
      : [
          ...(leg.idlingS >= 60 ? [t('engineOn', { length: formatTotal(leg.idlingS * 1000) })] : []),
          ...(leg.kind === 'gap' && leg.distanceM >= 50 ? [t('unseen', { distance })] : []),
        ];
  return (
    <li>
      <span className={styles.time}>
        {isoDateOf(fromMs) !== date && <small>{formatDay(fromMs)}</small>}
        <Link to={replayAt(vehicleId, fromMs)} title={t('replayHere')}>
          <time dateTime={leg.from}>{formatTime(fromMs)}</time>
        </Link>
        <small>{leg.isUnderWay ? t('soFar') : `– ${formatTime(toMs)}`}</small>
      </span>
      {stop === null ? (
        <StatusGlyph shape={SHAPES[leg.kind]} size={12} course={90} />
      ) : (
        <b className={styles.stop} aria-hidden="true">
          {formatCount(stop)}
        </b>
      )}
      <span className={styles.main}>
        <b>{leg.kind === 'trip' ? t('leg.trip', { distance }) : t(`leg.${leg.kind}`)}</b>
        {leg.kind === 'stop' && place !== '' && <span>{place}</span>}
        {leg.kind === 'trip' && isArrivalShown && !leg.isUnderWay && place !== '' && (
          <span>{t('arrived', { place })}</span>
        )}
      </span>
      <span className={styles.length}>{formatDuration((leg.isUnderWay ? Math.max(nowMs, toMs) : toMs) - fromMs)}</span>
      {(facts.length > 0 || mayPack) && (
        <small className={styles.facts}>
          {facts.map(fact => (
            <span key={fact}>{fact}</span>
          ))}
          {mayPack && (
            <Link
              to={evidenceOf(vehicleId, fromMs, toMs)}
              aria-label={t(leg.kind === 'trip' ? 'evidenceOfTrip' : 'evidenceOfStop', { time: formatTime(fromMs) })}
            >
              {t('evidence')}
            </Link>
          )}
        </small>
      )}
    </li>
  );
}

type Translate = ReturnType<typeof useTranslation<'vehicleDay'>>['t'];

function tripFacts(leg: Leg, system: MeasureSystem, t: Translate): string[] {
  const { cards, drivers, fuel, idlingS, maxSpeedMps, meanSpeedMps, odometerM } = leg;
  const speed = (mps: number): string => joined(speedFigure(metresPerSecond(mps), system));
  return [
    ...drivers.map(({ name, source }) => (source === 'usual' ? t('usual', { name }) : name)),
    ...cards.filter(({ driver }) => driver === null).map(({ card }) => t('card', { card })),
    ...(meanSpeedMps === null ? [] : [t('mean', { speed: speed(meanSpeedMps) })]),
    ...(maxSpeedMps === null ? [] : [t('top', { speed: speed(maxSpeedMps) })]),
    ...(idlingS >= 60 ? [t('idle', { length: formatTotal(idlingS * 1000) })] : []),
    ...(odometerM === null ? [] : [t('odometer', { distance: joined(distanceFigure(metres(odometerM), system)) })]),
    ...(fuel === null ? [] : [t('fuel', { start: Math.round(fuel.start), end: Math.round(fuel.end) })]),
  ];
}

const placeOf = (place: Leg['start'], system: MeasureSystem): string =>
  place === null ? '' : placeWords(place, system) || formatCoordinates(place.lat, place.lon);
