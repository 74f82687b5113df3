import type { Overview } from '@milepost/contract';
import { metres, toKilometres, toMiles } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { shifted } from '../../../figures/period.ts';
import { dateFormat, numberFormat } from '../../../format/locale.ts';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { ChartCard } from './ChartCard.tsx';
import styles from './DistanceChart.module.css';
import { labelled, scaleFor } from './scale.ts';

const dayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay();
const isWeekend = (date: string): boolean => dayOf(date) % 6 === 0;
const shortDate = (date: string): string =>
  dateFormat({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(date));
const wholeDate = (date: string): string =>
  dateFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(Date.parse(date));

/** Bars for this period and a dashed line for the previous one; weekends are paler. */
export function DistanceChart({ overview }: { readonly overview: Overview }) {
  const { t } = useTranslation('overview');
  const system = useMeasureSystem();
  const { days, previousDays } = overview.distance;
  const inUnit = (distance: number): number =>
    system.distance === 'mi' ? toMiles(metres(distance)) : toKilometres(metres(distance));
  const text = (distance: number | null): string =>
    distance === null ? t('chart.noValue') : joined(distanceFigure(metres(distance), system));
  const known = days.flatMap(distance => distance ?? []);
  const most = Math.max(0, ...known, ...previousDays.flatMap(distance => distance ?? []));
  const lines = scaleFor(inUnit(most));
  const top = lines.at(-1) ?? 1;
  const share = (distance: number): number => inUnit(distance) / top;
  const dates = days.map((_, nth) => shifted(overview.period.from, nth));
  const best = days.indexOf(Math.max(0, ...known));
  const every = labelled(days.length);
  const axis = numberFormat({ notation: 'compact', maximumFractionDigits: 1 });

  const line = previousDays
    .map((distance, nth) => {
      if (distance === null) return '';
      const isJoined = nth > 0 && previousDays[nth - 1] !== null;
      return `${isJoined ? 'L' : 'M'}${((nth + 0.5) / previousDays.length) * 100} ${100 - share(distance) * 100}`;
    })
    .join('');
  const hasPrevious = previousDays.some(distance => distance !== null);
  const mean = known.reduce((sum, distance) => sum + distance, 0) / Math.max(1, known.length);
  return (
    <ChartCard
      title={t('chart.distance')}
      legend={
        <>
          <span className={styles.this}>{t('chart.thisPeriod')}</span>
          {hasPrevious && <span className={styles.before}>{t('chart.previous')}</span>}
        </>
      }
      conclusion={t('chart.distanceName', {
        from: shortDate(overview.period.from),
        to: shortDate(overview.period.to),
        day: best < 0 ? '–' : wholeDate(dates[best] ?? ''),
        most: text(best < 0 ? 0 : (days[best] ?? 0)),
        mean: text(mean),
      })}
      empty={known.some(distance => distance > 0) ? null : t('chart.empty')}
      table={{
        head: [t('chart.date'), t('chart.distance'), t('chart.before')],
        rows: days.map((distance, nth) => [
          wholeDate(dates[nth] ?? ''),
          text(distance),
          text(previousDays[nth] ?? null),
        ]),
      }}
    >
      <div className={styles.axis} aria-hidden="true">
        {lines.toReversed().map(value => (
          <span key={value}>{axis.format(value)}</span>
        ))}
      </div>
      <div className={styles.plot} style={{ '--lines': lines.length - 1 } as React.CSSProperties}>
        <div className={styles.bars}>
          {days.map((distance, nth) => {
            const date = dates[nth] ?? '';
            return (
              <div key={date} className={styles.day} data-tooltip={`${wholeDate(date)} · ${text(distance)}`}>
                <i
                  data-weekend={isWeekend(date) || undefined}
                  style={{ height: distance === null ? 0 : `${share(distance) * 100}%` }}
                />
              </div>
            );
          })}
        </div>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" className={styles.previous}>
          <path d={line} />
        </svg>
        <div className={styles.dates}>
          {dates.map((date, nth) => (
            <span key={date}>{nth % every === 0 && <b>{shortDate(date)}</b>}</span>
          ))}
        </div>
      </div>
    </ChartCard>
  );
}
