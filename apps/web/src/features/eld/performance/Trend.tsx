import type { DriverPerformance } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { logDate } from '../../../logbook/home-time.ts';
import hidden from '../../../ui/hidden.module.css';
import frame from '../../../ui/table.module.css';
import styles from './Inspector.module.css';
import { figure } from './score-words.ts';

type Weeks = DriverPerformance['weeks'];

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [320, 130, 26, 112];

/** The weekly score beside the fleet's; weeks without driving are gaps. */
export function Trend({ weeks, name }: { readonly weeks: Weeks; readonly name: string }) {
  const { t } = useTranslation('eld');
  const values = weeks.flatMap(({ score, fleet }) => [score, fleet]).filter(value => value !== null);
  if (values.length === 0) return null;
  const floor = Math.max(0, Math.floor((Math.min(...values) - 5) / 10) * 10);
  const x = (nth: number): number => LEFT + (nth / Math.max(1, weeks.length - 1)) * (WIDTH - LEFT - 8);
  const y = (value: number): number => BOTTOM - ((value - floor) / (100 - floor)) * (BOTTOM - 10);
  const path = (of: (week: Weeks[number]) => number | null): string => {
    let joins = false;
    return weeks
      .map((week, nth) => {
        const value = of(week);
        const part = value === null ? '' : `${joins ? 'L' : 'M'}${x(nth).toFixed(1)} ${y(value).toFixed(1)}`;
        joins = value !== null;
        // A single week between two gaps is a dot.
        return part.startsWith('M') ? `${part}h.1` : part;
      })
      .join('');
  };
  const lines = [100, (100 + floor) / 2, floor];
  const label = t('performance.trendLabel', { name, n: weeks.length });
  return (
    <section className={styles.card}>
      <header>
        <h3>{t('performance.trend')}</h3>
        <span className={styles.key}>
          <i /> {name} <i data-fleet /> {t('performance.fleet')}
        </span>
      </header>
      <svg className={styles.trend} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
        {lines.map(value => (
          <g key={value}>
            <path className={styles.grid} d={`M${LEFT} ${y(value)}H${WIDTH - 4}`} />
            <text x={LEFT - 6} y={y(value) + 3.5} textAnchor="end">
              {figure(value)}
            </text>
          </g>
        ))}
        <path className={styles.fleetLine} d={path(week => week.fleet)} />
        <path className={styles.line} d={path(week => week.score)} />
        {weeks[0] && (
          <text x={LEFT} y={HEIGHT - 3}>
            {logDate(weeks[0].from)}
          </text>
        )}
        <text x={WIDTH - 4} y={HEIGHT - 3} textAnchor="end">
          {logDate(weeks.at(-1)?.from ?? '')}
        </text>
      </svg>
      <table className={`${frame.table} ${hidden.hidden}`}>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t('performance.week')}</th>
            <th scope="col">{name}</th>
            <th scope="col">{t('performance.fleet')}</th>
          </tr>
        </thead>
        <tbody>
          {weeks.map(({ from, score, fleet }) => (
            <tr key={from}>
              <th scope="row">{logDate(from)}</th>
              <td>{score === null ? '–' : figure(score)}</td>
              <td>{fleet === null ? '–' : figure(fleet)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
