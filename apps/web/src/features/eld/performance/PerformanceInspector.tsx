import type { DriverPerformance, PerformanceDays } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { driverPerformanceQuery } from '../../../logbook/performance-query.ts';
import { Inspector, InspectorBody } from '../../../registry/Inspector.tsx';
import { ReadState } from '../../../registry/ReadState.tsx';
import { CoachingCard } from './CoachingCard.tsx';
import { EvidenceList } from './EvidenceList.tsx';
import styles from './Inspector.module.css';
import { ScoreParts, ScoreRing, useCertainty } from './Score.tsx';
import { Trend } from './Trend.tsx';

interface Props {
  readonly driver: DriverPerformance;
  readonly days: PerformanceDays;
  readonly onClose: () => void;
}

/** How a driver's score was computed, its trend, evidence, coaching, and the driver's replies. */
export function PerformanceInspector({ driver, days, onClose }: Props) {
  const { data, error, refetch } = useQuery(driverPerformanceQuery(driver.driverId, days));
  const { driverId, name, score, weeks } = driver;
  return (
    <Inspector
      id={driverId}
      title={name}
      subtitle={useCertainty(driver)}
      art={score !== null && <ScoreRing score={score} />}
      onClose={onClose}
    >
      <InspectorBody>
        <div className={styles.cards}>
          <ScoreParts driver={driver} />
          <Trend weeks={weeks} name={name} />
          {data ? (
            <>
              <CoachingCard driverId={driverId} coaching={data.coaching} />
              <EvidenceList driverId={driverId} name={name} days={days} evidence={data.evidence} />
            </>
          ) : (
            <ReadState error={error} onRetry={() => void refetch()} />
          )}
        </div>
      </InspectorBody>
    </Inspector>
  );
}
