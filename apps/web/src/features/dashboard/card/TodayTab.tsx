import { metresPerSecond } from '@milepost/units';
import { IconCalendar, IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useAccountZone } from '../../../base/account-settings.ts';
import { describeError } from '../../../base/describe-error.ts';
import { Skeleton } from '../../../base/Skeleton.tsx';
import { useShortcuts } from '../../../base/shortcuts/use-shortcuts.ts';
import { isoDateOf } from '../../../format/date.ts';
import { formatTotal } from '../../../format/duration.ts';
import { formatCount } from '../../../format/locale.ts';
import { distanceFigure, joined, speedFigure } from '../../../format/measure.ts';
import { endOfDay, formatDayIn, formatZone, midnightOf, startOfDay } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useFromNow } from '../../../live/view.ts';
import { paths } from '../../../paths.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { distanceOf, Strip } from '../../../vehicles/day/TodayLine.tsx';
import { type DayFigures, useDay } from '../../../vehicles/day/use-day.ts';
import styles from './TodayTab.module.css';
import { Trips } from './Trips.tsx';

/** One of the account's days of the vehicle, today by default: distance, time, trips and stops. */
export function Component({ entry }: { readonly entry: VehicleEntry }) {
  // Null: today, even after midnight passes.
  const [chosen, setChosen] = useState<number | null>(null);
  return (
    <div className={styles.tab}>
      <DayChoice chosen={chosen} onChoose={setChosen} />
      <Day entry={entry} chosen={chosen} />
    </div>
  );
}

interface ChoiceProps {
  readonly chosen: number | null;
  readonly onChoose: (dayMs: number | null) => void;
}

function DayChoice({ chosen, onChoose }: ChoiceProps) {
  const { t } = useTranslation('vehicleDay');
  const zone = useAccountZone();
  const todayMs = useFromNow(ms => startOfDay(ms, zone));
  const dayMs = chosen ?? todayMs;
  const choose = (ms: number): void => onChoose(ms >= todayMs ? null : startOfDay(ms, zone));
  const before = (): void => choose(dayMs - 1);
  const after = (): void => choose(endOfDay(dayMs, zone));
  useShortcuts([
    { keys: ['['], label: t('previous'), group: t('today'), run: before },
    { keys: [']'], label: t('next'), group: t('today'), run: after },
  ]);
  return (
    <div className={styles.choice}>
      <IconButton label={t('previous')} onClick={before}>
        <IconChevronLeft size={18} stroke={1.75} aria-hidden />
      </IconButton>
      <label>
        <IconCalendar size={16} stroke={1.75} aria-hidden />
        <b>{formatDayIn(dayMs, zone)}</b>
        {chosen === null && <span>{t('today')}</span>}
        <input
          type="date"
          aria-label={t('choose')}
          value={isoDateOf(dayMs, zone)}
          max={isoDateOf(todayMs, zone)}
          onClick={({ currentTarget }) => currentTarget.showPicker?.()}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') choose(midnightOf(currentTarget.value, zone));
          }}
        />
      </label>
      <IconButton label={t('next')} disabled={chosen === null} onClick={after}>
        <IconChevronRight size={18} stroke={1.75} aria-hidden />
      </IconButton>
    </div>
  );
}

function Day({ entry, chosen }: { readonly entry: VehicleEntry; readonly chosen: number | null }) {
  const { t } = useTranslation('vehicleDay');
  const { day, error, zone, fromMs, toMs, isToday } = useDay(entry.vehicle, chosen ?? undefined);
  if (!day) {
    if (!error) return <Skeleton bones={4} />;
    return (
      <p role="alert">
        {t(isToday ? 'failed' : 'failedThen')}: {describeError(error).message}
      </p>
    );
  }
  return (
    <>
      <Strip day={day} fromMs={fromMs} toMs={toMs} />
      <Figures day={day} />
      {day.fixes === 0 && day.segments.every(({ kind }) => kind === 'gap') ? (
        <p className={styles.quiet}>{t(isToday ? 'none' : 'noneThen')}</p>
      ) : (
        <>
          <Link className={styles.replay} to={paths.replay({ vehicles: [entry.vehicle.id], fromMs, toMs })}>
            {t('replay')}
          </Link>
          <Trips vehicle={entry.vehicle} fromMs={fromMs} zone={zone} isToday={isToday} />
        </>
      )}
      <p className={styles.basis}>
        {t('basis', {
          day: formatDayIn(fromMs, zone),
          zone: formatZone(fromMs),
          fixes: formatCount(day.fixes),
          leftOut: formatCount(day.leftOut),
        })}
      </p>
    </>
  );
}

function Figures({ day }: { readonly day: DayFigures }) {
  const { t } = useTranslation('vehicleDay');
  const system = useMeasureSystem();
  const figures = [
    [t('distance'), joined(distanceFigure(distanceOf(day), system))],
    [t('driving'), formatTotal(day.movingS * 1000)],
    [t('idling'), formatTotal(day.idlingS * 1000)],
    [t('stopped'), formatTotal(day.stoppedS * 1000)],
    [t('stops'), String(day.stops)],
    [t('maxSpeed'), day.maxSpeedMps === null ? '–' : joined(speedFigure(metresPerSecond(day.maxSpeedMps), system))],
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
