import { type DriverPerformance, PERFORMANCE_KINDS } from '@milepost/contract';
import { metres } from '@milepost/units';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { Inspector, InspectorBody } from '../../../registry/Inspector.tsx';
import { ReadState } from '../../../registry/ReadState.tsx';
import { CoachingCard } from './CoachingCard.tsx';
import { EvidenceList } from './EvidenceList.tsx';
import styles from './Inspector.module.css';
import { driverPerformanceQuery } from './performance-query.ts';
import { difference, figure, toneOf, uncertainty } from './score-words.ts';
import { Trend } from './Trend.tsx';

interface Props {
  readonly driver: DriverPerformance;
  readonly onClose: () => void;
}

const ROUND = 2 * Math.PI * 29;

/** How a driver's score was computed, its trend, evidence, coaching, and the driver's replies. */
export function PerformanceInspector({ driver, onClose }: Props) {
  const { t } = useTranslation('eld');
  const system = useMeasureSystem();
  const { data, error, refetch } = useQuery(driverPerformanceQuery(driver.driverId));
  const { name, score, low, high, km, before, parts, weeks, withDisputed } = driver;
  const most = Math.max(1, ...parts.map(({ points }) => points));
  const sorted = PERFORMANCE_KINDS.flatMap(kind => parts.find(part => part.kind === kind) ?? []).filter(
    ({ points }) => points > 0,
  );
  return (
    <Inspector
      id={driver.driverId}
      title={name}
      subtitle={
        score === null
          ? t('performance.notDriven')
          : t('performance.certainTo', {
              distance: joined(distanceFigure(metres(km * 1000), system)),
              n: figure(uncertainty({ low, high })),
            })
      }
      art={
        score !== null && (
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
        )
      }
      onClose={onClose}
    >
      <InspectorBody>
        <div className={styles.cards}>
          {score !== null && before !== null && (
            <p className={styles.change}>{t('performance.before', { n: difference(score - before) })}</p>
          )}
          {score !== null && (
            <section className={styles.card}>
              <h3>{t('performance.made', { score: figure(score) })}</h3>
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
                  {sorted.map(({ kind, amount, points }) => (
                    <tr key={kind}>
                      <th scope="row">
                        {t(`performance.amount.${kind}`, { n: figure(amount, kind === 'idling' ? 1 : 0) })}
                      </th>
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
          )}
          <Trend weeks={weeks} name={name} />
          {data ? (
            <>
              <CoachingCard driverId={driver.driverId} coaching={data.coaching} />
              <EvidenceList driverId={driver.driverId} name={name} evidence={data.evidence} />
            </>
          ) : (
            <ReadState error={error} onRetry={() => void refetch()} />
          )}
        </div>
      </InspectorBody>
    </Inspector>
  );
}
