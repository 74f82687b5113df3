import { type DriverPerformance, PERFORMANCE_KINDS } from '@milepost/contract';
import { metres } from '@milepost/units';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { numberFormat } from '../../../format/locale.ts';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import type { RegistryColumn } from '../../../registry/columns.ts';
import styles from './PerformancePage.module.css';
import { ScoreBand } from './ScoreBand.tsx';
import { difference, figure } from './score-words.ts';

type Standing = Pick<DriverPerformance, 'score' | 'low' | 'high' | 'before' | 'km' | 'parts' | 'arrivals'>;

/** What drivers and departments are compared by. */
export function useFigureColumns(): RegistryColumn<Standing>[] {
  const { t } = useTranslation('eld');
  const system = useMeasureSystem();
  return useMemo(
    () => [
      {
        id: 'score',
        header: t('performance.score'),
        cell: standing => <ScoreBand {...standing} />,
        sortBy: ({ score }) => score,
      },
      {
        id: 'change',
        header: t('performance.change'),
        align: 'end',
        cell: ({ score, before }) => {
          if (score === null || before === null) return <span className={styles.none}>–</span>;
          const by = Math.round(score - before);
          return (
            <span data-change={by > 0 ? 'better' : by < 0 ? 'worse' : undefined} className={styles.change}>
              {difference(by)}
            </span>
          );
        },
        sortBy: ({ score, before }) => (score === null || before === null ? null : score - before),
      },
      {
        id: 'km',
        header: t('log.distance'),
        align: 'end',
        cell: ({ km }) => km > 0 && joined(distanceFigure(metres(km * 1000), system)),
        sortBy: ({ km }) => km,
        from: 1024,
      },
      ...PERFORMANCE_KINDS.filter(kind => kind !== 'punctuality').map(
        (kind): RegistryColumn<Standing> => ({
          id: kind,
          header: t(`performance.kind.${kind}`),
          align: 'end',
          cell: ({ parts }) => {
            const amount = parts.find(part => part.kind === kind)?.amount ?? 0;
            return amount === 0 ? <span className={styles.none}>–</span> : figure(amount, kind === 'idling' ? 1 : 0);
          },
          sortBy: ({ parts }) => parts.find(part => part.kind === kind)?.amount ?? 0,
          from: 1440,
        }),
      ),
      {
        id: 'punctuality',
        header: t('performance.onTime'),
        align: 'end',
        cell: ({ arrivals: { all, late } }) =>
          all === 0 ? (
            <span className={styles.none}>–</span>
          ) : (
            numberFormat({ style: 'percent' }).format((all - late) / all)
          ),
        sortBy: ({ arrivals: { all, late } }) => (all === 0 ? null : (all - late) / all),
        from: 1440,
      },
    ],
    [t, system],
  );
}
