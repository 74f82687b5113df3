import type { Leg, Vehicle } from '@milepost/contract';
import { metres, metresPerSecond } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../../base/describe-error.ts';
import { formatDuration, formatTotal } from '../../../format/duration.ts';
import { distanceFigure, joined, type MeasureSystem, speedFigure } from '../../../format/measure.ts';
import { formatCoordinates, placeWords } from '../../../format/place.ts';
import { formatDay, formatMoment, formatTime, startOfDay } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useFromNow } from '../../../live/view.ts';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { useTrips } from '../../../vehicles/day/use-trips.ts';
import styles from './Trips.module.css';

const MINUTE_MS = 60_000;
const SHAPES = { trip: 'moving', stop: 'stopped', gap: 'no-data' } as const;

/** Where it drove and where it stopped today. Newest first: what is going on now is what people look for. */
export function Trips({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation('dashboard');
  const { trips, error } = useTrips(vehicle);
  if (!trips) {
    if (!error) return <div aria-busy="true" />;
    return (
      <p role="alert">
        {t('day.tripsFailed')}: {describeError(error).message}
      </p>
    );
  }
  const { countedTo, isBehind, legs } = trips;
  return (
    <>
      {isBehind && (
        <p className={styles.behind} role="status">
          {countedTo === null
            ? t('day.counting')
            : t('day.countedTo', { time: formatMoment(Date.parse(countedTo), Date.now()) })}
        </p>
      )}
      {legs.length > 0 && (
        <ol className={styles.legs} aria-label={t('day.trips')}>
          {legs.map((leg, nth) => (
            <LegRow key={leg.from} leg={leg} isArrivalShown={legs[nth - 1]?.kind !== 'stop'} />
          ))}
        </ol>
      )}
    </>
  );
}

function LegRow({ leg, isArrivalShown }: { readonly leg: Leg; readonly isArrivalShown: boolean }) {
  const { t } = useTranslation('dashboard');
  const system = useMeasureSystem();
  const nowMs = useFromNow(ms => Math.floor(ms / MINUTE_MS) * MINUTE_MS);
  const [fromMs, toMs] = [Date.parse(leg.from), Date.parse(leg.to)];
  const place = placeOf(leg.kind === 'trip' ? leg.end : (leg.start ?? leg.end), system);
  const distance = joined(distanceFigure(metres(leg.distanceM), system));
  const facts =
    leg.kind === 'trip'
      ? tripFacts(leg, system, t)
      : [
          ...(leg.idlingS >= 60 ? [t('day.engineOn', { length: formatTotal(leg.idlingS * 1000) })] : []),
          ...(leg.kind === 'gap' && leg.distanceM >= 50 ? [t('day.unseen', { distance })] : []),
        ];
  return (
    <li>
      <span className={styles.time}>
        {startOfDay(fromMs) !== startOfDay(nowMs) && <small>{formatDay(fromMs)}</small>}
        <time dateTime={leg.from}>{formatTime(fromMs)}</time>
        <small>{leg.isUnderWay ? t('day.soFar') : `– ${formatTime(toMs)}`}</small>
      </span>
      <StatusGlyph shape={SHAPES[leg.kind]} size={12} course={90} />
      <span className={styles.main}>
        <b>{leg.kind === 'trip' ? t('day.leg.trip', { distance }) : t(`day.leg.${leg.kind}`)}</b>
        {leg.kind === 'stop' && place !== '' && <span>{place}</span>}
        {leg.kind === 'trip' && isArrivalShown && !leg.isUnderWay && place !== '' && (
          <span>{t('day.arrived', { place })}</span>
        )}
      </span>
      <span className={styles.length}>{formatDuration((leg.isUnderWay ? Math.max(nowMs, toMs) : toMs) - fromMs)}</span>
      {facts.length > 0 && (
        <small className={styles.facts}>
          {facts.map(fact => (
            <span key={fact}>{fact}</span>
          ))}
        </small>
      )}
    </li>
  );
}

type Translate = ReturnType<typeof useTranslation<'dashboard'>>['t'];

function tripFacts(leg: Leg, system: MeasureSystem, t: Translate): string[] {
  const { cards, fuel, idlingS, maxSpeedMps, meanSpeedMps, odometerM } = leg;
  const speed = (mps: number): string => joined(speedFigure(metresPerSecond(mps), system));
  return [
    ...cards.map(({ card, driver }) => driver?.name ?? t('day.card', { card })),
    ...(meanSpeedMps === null ? [] : [t('day.mean', { speed: speed(meanSpeedMps) })]),
    ...(maxSpeedMps === null ? [] : [t('day.top', { speed: speed(maxSpeedMps) })]),
    ...(idlingS >= 60 ? [t('day.idle', { length: formatTotal(idlingS * 1000) })] : []),
    ...(odometerM === null ? [] : [t('day.odometer', { distance: joined(distanceFigure(metres(odometerM), system)) })]),
    ...(fuel === null ? [] : [t('day.fuel', { start: Math.round(fuel.start), end: Math.round(fuel.end) })]),
  ];
}

const placeOf = (place: Leg['start'], system: MeasureSystem): string =>
  place === null ? '' : placeWords(place, system) || formatCoordinates(place.lat, place.lon);
