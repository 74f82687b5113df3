import { type Metres, metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { formatTotal } from '../../format/duration.ts';
import { distanceFigure, joined } from '../../format/measure.ts';
import { formatDayIn, zoneNote } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { usePast } from '../../live/past.ts';
import type { VehicleEntry } from '../../live/vehicle-entry.ts';
import { useMinute } from '../../live/view.ts';
import { DayStrip } from '../../ui/DayStrip.tsx';
import styles from './TodayLine.module.css';
import { type DayFigures, useDay } from './use-day.ts';

/** The vehicle's day as one line of figures and a strip. */
export function TodayLine({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation('vehicle');
  const system = useMeasureSystem();
  const { day, zone, fromMs, toMs } = useDay(entry.vehicle);
  const isPast = usePast() !== undefined;
  if (!day) return null;
  return (
    <section className={styles.today}>
      <header>
        <h3>{isPast ? formatDayIn(fromMs, zone) : t('day.today') + zoneNote(fromMs, zone)}</h3>
        <span>
          {t('day.line', {
            distance: joined(distanceFigure(distanceOf(day), system)),
            driving: formatTotal(day.movingS * 1000),
            idle: formatTotal(day.idlingS * 1000),
          })}
        </span>
      </header>
      <Strip day={day} fromMs={fromMs} toMs={toMs} />
    </section>
  );
}

interface StripProps {
  readonly day: DayFigures;
  readonly fromMs: number;
  readonly toMs: number;
}

export function Strip({ day, fromMs, toMs }: StripProps) {
  const { t } = useTranslation('vehicle');
  const system = useMeasureSystem();
  const nowMs = useMinute();
  const label = t('day.strip', {
    distance: joined(distanceFigure(distanceOf(day), system)),
    driving: formatTotal(day.movingS * 1000),
    idle: formatTotal(day.idlingS * 1000),
    stopped: formatTotal(day.stoppedS * 1000),
  });
  const segments = day.segments.map(({ kind, from, to }) => ({
    kind,
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
  }));
  return <DayStrip segments={segments} fromMs={fromMs} toMs={toMs} {...(nowMs < toMs && { nowMs })} label={label} />;
}

export const distanceOf = ({ distanceM }: DayFigures): Metres => metres(distanceM);
