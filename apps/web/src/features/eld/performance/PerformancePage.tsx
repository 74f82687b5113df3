import { type DriverPerformance, may, PERFORMANCE_KINDS } from '@milepost/contract';
import { metres } from '@milepost/units';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../base/session/session.ts';
import { useMedia } from '../../../base/use-media.ts';
import { formatCount } from '../../../format/locale.ts';
import { distanceFigure, joined } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { logDate } from '../../../logbook/home-time.ts';
import type { RegistryColumn } from '../../../registry/columns.ts';
import { RegistryPage } from '../../../registry/RegistryPage.tsx';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { RegistryTable } from '../../../registry/RegistryTable.tsx';
import { matchesSearch } from '../../../registry/search.ts';
import { Toolbar } from '../../../registry/Toolbar.tsx';
import { useRegistry } from '../../../registry/use-registry.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { EldFrame } from '../EldFrame.tsx';
import { Stale } from '../Stale.tsx';
import { PerformanceInspector } from './PerformanceInspector.tsx';
import styles from './PerformancePage.module.css';
import { performanceQuery } from './performance-query.ts';
import { ScoreBand } from './ScoreBand.tsx';
import { difference, figure, scoredDistance } from './score-words.ts';
import { WeightsDialog } from './WeightsDialog.tsx';

/** `/eld/performance`: scores by a published formula, with their certainty and their evidence [R2.16]. */
export function PerformancePage() {
  const { t } = useTranslation('eld');
  const registry = useRegistry();
  const query = useQuery(performanceQuery);
  const mayWeigh = useSession(({ me }) => me !== null && may(me, 'logbook.settings'));
  const system = useMeasureSystem();
  const [isWeighing, setIsWeighing] = useState(false);
  const isWide = useMedia('(min-width: 120em)');
  const drivers = query.data?.drivers ?? [];
  const shown = drivers.filter(({ name }) => matchesSearch(registry.query, [name]));
  const open = drivers.find(({ driverId }) => driverId === registry.open);
  const columns = useColumns(open === undefined || isWide);
  return (
    <EldFrame
      title={t('pages.performance')}
      note={query.data && t('performance.period', { from: logDate(query.data.from), to: logDate(query.data.to) })}
      flush
    >
      <RegistryPage
        title={t('pages.performance')}
        count={query.data && t('roster.count', { count: shown.length })}
        actions={
          mayWeigh &&
          query.data && (
            <Button
              icon={<IconAdjustmentsHorizontal size={17} stroke={1.75} aria-hidden />}
              onClick={() => setIsWeighing(true)}
            >
              {t('weights.open')}
            </Button>
          )
        }
        toolbar={<Toolbar registry={registry} searchHint={t('columns.driver')} />}
        below={<p className={styles.formula}>{t('performance.formula', { distance: scoredDistance(system) })}</p>}
        inspector={
          open && <PerformanceInspector key={open.driverId} driver={open} onClose={() => registry.openRow(null)} />
        }
      >
        <Stale query={query} />
        {shown.length > 0 ? (
          <RegistryTable
            label={t('pages.performance')}
            rows={shown}
            columns={columns}
            idOf={({ driverId }) => driverId}
            nameOf={({ name }) => name}
            sort={registry.sort ?? { column: 'score', descending: true }}
            onSort={registry.sortBy}
            open={open?.driverId ?? null}
            onOpen={registry.openRow}
            card={driver => <ScoreBand {...driver} />}
          />
        ) : (
          <RegistryState
            total={query.data?.drivers.length}
            error={query.error}
            onRetry={() => void query.refetch()}
            onClear={registry.clear}
            empty={{ title: t('performance.empty.title'), text: t('performance.empty.text') }}
          />
        )}
      </RegistryPage>
      {isWeighing && query.data && <WeightsDialog weights={query.data.weights} onClose={() => setIsWeighing(false)} />}
    </EldFrame>
  );
}

/** Next to the drawer, only name, score and change fit. */
function useColumns(hasRoom: boolean): RegistryColumn<DriverPerformance>[] {
  const { t } = useTranslation('eld');
  const system = useMeasureSystem();
  return useMemo(() => {
    const all: RegistryColumn<DriverPerformance>[] = [
      {
        id: 'name',
        header: t('columns.driver'),
        cell: ({ name }) => (
          <span className={styles.driver}>
            <Avatar name={name} kind="person" size={28} />
            <b>{name}</b>
          </span>
        ),
        sortBy: ({ name }) => name,
      },
      {
        id: 'score',
        header: t('performance.score'),
        cell: driver => <ScoreBand {...driver} />,
        sortBy: ({ score }) => score,
      },
      {
        id: 'change',
        header: t('performance.change'),
        align: 'end',
        cell: ({ score, before }) => {
          if (score === null || before === null) return null;
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
      ...PERFORMANCE_KINDS.map(
        (kind): RegistryColumn<DriverPerformance> => ({
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
        id: 'open',
        header: t('performance.open'),
        cell: ({ openDisputes, openCoaching }) => (
          <span className={styles.chips}>
            {openDisputes > 0 && (
              <Chip tone="info">{t('dispute.open', { count: openDisputes, n: formatCount(openDisputes) })}</Chip>
            )}
            {openCoaching > 0 && <Chip tone="warning">{t('coaching.open', { count: openCoaching })}</Chip>}
          </span>
        ),
        from: 1024,
      },
    ];
    return hasRoom ? all : all.filter(({ from }) => from === undefined);
  }, [t, system, hasRoom]);
}
