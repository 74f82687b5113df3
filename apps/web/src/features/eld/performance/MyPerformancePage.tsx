import type { OneDriverPerformance, PerformanceDays } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { myPerformanceQuery } from '../../../logbook/performance-query.ts';
import { paths } from '../../../paths.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { BackHead } from '../../../ui/BackHead.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Stale } from '../Stale.tsx';
import { CoachingCard } from './CoachingCard.tsx';
import { EvidenceList } from './EvidenceList.tsx';
import styles from './MyPerformance.module.css';
import { DaysChoice, ScoreParts, ScoreRing, useCertainty } from './Score.tsx';
import { scoredDistance } from './score-words.ts';
import { Trend } from './Trend.tsx';
import { useDays } from './use-days.ts';

/** `/eld/my-performance`: a driver's own score as the desk sees it, with the right of reply. */
export function MyPerformancePage() {
  const { t } = useTranslation(['eld', 'shell']);
  const [days, chooseDays] = useDays();
  const query = useQuery(myPerformanceQuery(days));
  const { data, error, refetch } = query;
  return (
    <div className={styles.page} data-page="flow">
      <title>{t('shell:appTitle', { page: t('performance.mine') })}</title>
      <BackHead title={t('performance.mine')} back={paths.eldOwn()} backLabel={t('performance.back')}>
        <DaysChoice days={days} onChoose={chooseDays} />
      </BackHead>
      <Stale query={query} />
      {data ? <Shown mine={data} days={days} /> : <ReadState error={error} onRetry={() => void refetch()} />}
    </div>
  );
}

function Shown({ mine, days }: { readonly mine: OneDriverPerformance; readonly days: PerformanceDays }) {
  const { t } = useTranslation('eld');
  const system = useMeasureSystem();
  const certainty = useCertainty(mine);
  const { driverId, name, score, weeks, from, to, isBehind } = mine;
  return (
    <>
      {isBehind && <Notice tone="info">{t('performance.behind')}</Notice>}
      <div className={styles.cards}>
        <div className={styles.column}>
          <section className={styles.score}>
            {score !== null && <ScoreRing score={score} />}
            <div>
              <h2>{t('performance.period', { from: logDate(from), to: logDate(to) })}</h2>
              <p>{certainty}</p>
            </div>
          </section>
          <ScoreParts driver={mine} />
          <Trend weeks={weeks} name={name} />
        </div>
        <div className={styles.column}>
          <CoachingCard driverId={driverId} coaching={mine.coaching} own />
          <EvidenceList driverId={driverId} name={name} days={days} evidence={mine.evidence} own />
        </div>
      </div>
      <p className={styles.formula}>{t('performance.formula', { distance: scoredDistance(system) })}</p>
    </>
  );
}
