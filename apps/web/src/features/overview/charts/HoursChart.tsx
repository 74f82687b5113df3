import type { Overview } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { dateFormat, numberFormat } from '../../../format/locale.ts';
import { ChartCard } from './ChartCard.tsx';
import styles from './HoursChart.module.css';

interface Props {
  readonly hours: Overview['hours'];
  /** As in ISO 8601: 1 is Monday. */
  readonly firstWeekday: number;
}

const HOURS = [...Array(24).keys()];
const two = (hour: number): string => String(hour).padStart(2, '0');
/** January 1, 2024 was a Monday. */
const weekdayName = (weekday: number, length: 'short' | 'long'): string =>
  dateFormat({ weekday: length, timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1 + weekday));

/** When the fleet is on the road: the darker the color, the more vehicles. */
export function HoursChart({ hours, firstWeekday }: Props) {
  const { t } = useTranslation('overview');
  const number = numberFormat({ maximumFractionDigits: 1 });
  const weekdays = HOURS.slice(0, 7).map(nth => (firstWeekday - 1 + nth) % 7);
  const cells = weekdays.flatMap(weekday =>
    HOURS.map(hour => ({ weekday, hour, value: hours[weekday]?.[hour] ?? null })),
  );
  const most = cells.reduce((best, cell) => ((cell.value ?? 0) > (best.value ?? 0) ? cell : best));
  const isEmpty = (most.value ?? 0) === 0;
  const text = (value: number | null): string => (value === null ? t('chart.noValue') : number.format(value));
  return (
    <ChartCard
      title={t('chart.hours')}
      conclusion={t('chart.hoursName', {
        day: weekdayName(most.weekday, 'long'),
        hour: `${two(most.hour)}:00`,
        most: text(most.value),
      })}
      empty={isEmpty ? t('chart.hoursEmpty') : null}
      table={{
        head: [t('chart.weekday'), ...HOURS.map(two)],
        rows: weekdays.map(weekday => [
          weekdayName(weekday, 'short'),
          ...HOURS.map(hour => text(hours[weekday]?.[hour] ?? null)),
        ]),
      }}
    >
      <div className={styles.map}>
        <span />
        {HOURS.map(hour => (
          <span key={hour} className={styles.hour}>
            {hour % 6 === 0 && two(hour)}
          </span>
        ))}
        {cells.flatMap(({ weekday, hour, value }) => {
          const share = (value ?? 0) / (most.value || 1);
          const cell = (
            <i
              key={`${weekday}-${hour}`}
              data-unknown={value === null || undefined}
              data-tooltip={`${weekdayName(weekday, 'short')} ${two(hour)}:00 · ${text(value)}`}
              style={{ '--share': `${8 + share * 88}%` } as React.CSSProperties}
            />
          );
          if (hour > 0) return cell;
          return [
            <span key={weekday} className={styles.weekday}>
              {weekdayName(weekday, 'short')}
            </span>,
            cell,
          ];
        })}
      </div>
    </ChartCard>
  );
}
