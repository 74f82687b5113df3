import { type DriverPerformance, PERFORMANCE_DAYS, PERFORMANCE_KINDS, type PerformanceDays } from '@milepost/contract';
import { metres } from '@milepost/units';
import { useTranslation } from 'react-i18next';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { Segments } from '../../../ui/Segments.tsx';
import styles from './Inspector.module.css';
import { difference, figure, toneOf, uncertainty } from './score-words.ts';

const ROUND = 2 * Math.PI * 29;

/** The score in a ring. */
export function ScoreRing({ score }: { readonly score: number }) {
  return (
    <svg className={styles.ring} data-tone={toneOf(score)} viewBox="0 0 68 68" aria-hidden="true">
      <circle cx="34" cy="34" r="29" />
      <circle
        cx="34"
        cy="34"
        r="29"
        strokeDasharray={`${(score / 100) * ROUND} ${ROUND}`}
        transform="rotate(-90 34 34)"
      />
      <text x="34" y="41" textAnchor="middle">
        {figure(score)}
      </text>
    </svg>
  );
}

/** How far the driver went, and how certain the score is. */
export function useCertainty({ score, low, high, km }: DriverPerformance): string {
  const { t } = useTranslation('eld');
  const system = useMeasureSystem();
  if (score === null) return t('performance.notDriven');
  const distance = joined(distanceFigure(metres(km * 1000), system));
  return t('performance.certainTo', { distance, n: figure(uncertainty({ low, high })) });
}

/** What was taken from 100, the most expensive first seen by its bar. */
export function ScoreParts({ driver }: { readonly driver: DriverPerformance }) {
  const { t } = useTranslation('eld');
  const { score, before, parts, withDisputed } = driver;
  if (score === null) return null;
  const most = Math.max(1, ...parts.map(({ points }) => points));
  const costing = PERFORMANCE_KINDS.flatMap(kind => parts.find(part => part.kind === kind) ?? []).filter(
    ({ points }) => points > 0,
  );
  return (
    <section className={styles.card}>
      <header>
        <h3>{t('performance.made', { score: figure(score) })}</h3>
        {before !== null && Math.round(score - before) !== 0 && (
          <span className={styles.change}>{t('performance.before', { n: difference(score - before) })}</span>
        )}
      </header>
      <table className={styles.made}>
        <thead>
          <tr>
            <th scope="col">{t('performance.what')}</th>
            <td />
            <th scope="col">{t('performance.points')}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">{t('performance.start')}</th>
            <td />
            <td>100</td>
          </tr>
          {costing.map(({ kind, amount, points }) => (
            <tr key={kind}>
              <th scope="row">{t(`performance.amount.${kind}`, { n: figure(amount, kind === 'idling' ? 1 : 0) })}</th>
              <td aria-hidden="true">
                <i className={styles.meter}>
                  <i style={{ width: `${(points / most) * 100}%` }} />
                </i>
              </td>
              <td>−{figure(points, 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {withDisputed !== null && Math.round(withDisputed) !== Math.round(score) && (
        <p>{t('performance.withDisputed', { score: figure(withDisputed) })}</p>
      )}
    </section>
  );
}

interface DaysProps {
  readonly days: PerformanceDays;
  readonly onChoose: (days: PerformanceDays) => void;
}

/** A week, four weeks, or a quarter. */
export function DaysChoice({ days, onChoose }: DaysProps) {
  const { t } = useTranslation('eld');
  return (
    <Segments
      segments={PERFORMANCE_DAYS.map(each => ({ id: String(each), label: t(`performance.days.${each}`) }))}
      chosen={String(days)}
      onChoose={id => onChoose(PERFORMANCE_DAYS.find(each => String(each) === id) ?? days)}
      label={t('performance.days.label')}
    />
  );
}
