import { metresPerSecond } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { describeError } from '../../../base/describe-error.ts';
import { formatTotal } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';
import { distanceFigure, joined, speedFigure } from '../../../format/measure.ts';
import { formatDay, formatZone } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { paths } from '../../../paths.ts';
import { distanceOf, Strip } from '../../../vehicles/day/TodayLine.tsx';
import { type DayFigures, useDay } from '../../../vehicles/day/use-day.ts';
import styles from './TodayTab.module.css';
import { Trips } from './Trips.tsx';

/** The vehicle's day: how far, how long, and its trips and stops. */
export function TodayTab({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('dashboard');
  const { day, error, fromMs, toMs } = useDay(entry.vehicle);
  if (!day) {
    if (!error) return <div className={styles.tab} aria-busy="true" />;
    return (
      <p className={styles.tab} role="alert">
        {t('day.failed')}: {describeError(error).message}
      </p>
    );
  }
  return (
    <div className={styles.tab}>
      <Strip day={day} fromMs={fromMs} toMs={toMs} />
      <Figures day={day} />
      {day.fixes === 0 && day.segments.every(({ kind }) => kind === 'gap') ? (
        <p className={styles.quiet}>{t('day.none')}</p>
      ) : (
        <>
          <Link className={styles.replay} to={paths.replay({ vehicles: [entry.vehicle.id], fromMs, toMs })}>
            {t('day.replay')}
          </Link>
          <Trips vehicle={entry.vehicle} />
        </>
      )}
      <p className={styles.basis}>
        {t('day.basis', {
          day: formatDay(fromMs),
          zone: formatZone(fromMs),
          fixes: formatCount(day.fixes),
          leftOut: formatCount(day.leftOut),
        })}
      </p>
    </div>
  );
}

function Figures({ day }: { readonly day: DayFigures }) {
  const { t } = useTranslation('dashboard');
  const system = useMeasureSystem();
  const figures = [
    [t('day.distance'), joined(distanceFigure(distanceOf(day), system))],
    [t('day.driving'), formatTotal(day.movingS * 1000)],
    [t('day.idling'), formatTotal(day.idlingS * 1000)],
    [t('day.stopped'), formatTotal(day.stoppedS * 1000)],
    [t('day.stops'), String(day.stops)],
    [t('day.maxSpeed'), day.maxSpeedMps === null ? '–' : joined(speedFigure(metresPerSecond(day.maxSpeedMps), system))],
  ] as const;
  return (
    <dl className={styles.figures}>
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
