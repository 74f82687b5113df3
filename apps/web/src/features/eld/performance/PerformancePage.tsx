import { type DepartmentPerformance, type DriverPerformance, may } from '@milepost/contract';
import { IconAdjustmentsHorizontal, IconReportAnalytics } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { lazyPart } from '../../../base/chunks/lazy-part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { useMedia } from '../../../base/use-media.ts';
import { formatCount } from '../../../format/locale.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { logDate } from '../../../logbook/home-time.ts';
import { performanceQuery } from '../../../logbook/performance-query.ts';
import { paths } from '../../../paths.ts';
import type { RegistryColumn } from '../../../registry/columns.ts';
import { RegistryPage } from '../../../registry/RegistryPage.tsx';
import { RegistryState } from '../../../registry/RegistryState.tsx';
import { RegistryTable } from '../../../registry/RegistryTable.tsx';
import type { Sort } from '../../../registry/registry-url.ts';
import { matchesSearch } from '../../../registry/search.ts';
import { Toolbar } from '../../../registry/Toolbar.tsx';
import { useRegistry } from '../../../registry/use-registry.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { Button, buttonLook } from '../../../ui/Button.tsx';
import { Chip } from '../../../ui/Chip.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Segments } from '../../../ui/Segments.tsx';
import { EldFrame } from '../EldFrame.tsx';
import { Stale } from '../Stale.tsx';
import { useFigureColumns } from './figure-columns.tsx';
import { PerformanceInspector } from './PerformanceInspector.tsx';
import styles from './PerformancePage.module.css';
import { DaysChoice } from './Score.tsx';
import { ScoreBand } from './ScoreBand.tsx';
import { figure, scoredDistance, uncertainty } from './score-words.ts';
import { useDays } from './use-days.ts';

const WeightsDialog = lazyPart(async () => (await import('./WeightsDialog.tsx')).WeightsDialog);

const BY = 'by';
const DEPARTMENT = 'department';
/** The department of those who are in none, as a filter names it. */
const NONE = 'none';
const FILTERS = [DEPARTMENT];
const ROWS_BY = ['drivers', 'departments'] as const;

/** `/eld/performance`: scores by a published formula, with their certainty and their evidence [R2.16]. */
export function PerformancePage() {
  const { t } = useTranslation('eld');
  const registry = useRegistry(FILTERS);
  const [parameters, setParameters] = useSearchParams();
  const [days, chooseDays] = useDays();
  const query = useQuery(performanceQuery(days));
  const mayWeigh = useSession(({ me }) => me !== null && may(me, 'logbook.settings'));
  const system = useMeasureSystem();
  const [isWeighing, setIsWeighing] = useState(false);
  const isWide = useMedia('(min-width: 120em)');
  const { data } = query;
  const drivers = data?.drivers ?? [];
  const departments = data?.departments ?? [];
  const wanted = registry.filters[DEPARTMENT] ?? [];
  const shown = drivers.filter(
    ({ name, departmentId }) =>
      matchesSearch(registry.query, [name]) && (wanted.length === 0 || wanted.includes(departmentId ?? NONE)),
  );
  const open = drivers.find(({ driverId }) => driverId === registry.open);
  const columns = useColumns(open === undefined || isWide);
  const hasDepartments = departments.some(({ departmentId }) => departmentId !== null);
  const by = hasDepartments && parameters.get(BY) === 'departments' ? 'departments' : 'drivers';
  const departmentName = (name: string | null) => name ?? t('performance.noDepartment');
  /** Shows drivers or departments; drivers of a department if it is named. */
  const showBy = (view: (typeof ROWS_BY)[number], department?: string) =>
    setParameters(now => {
      for (const name of [BY, DEPARTMENT, 'q']) now.delete(name);
      if (view === 'departments') now.set(BY, view);
      if (department !== undefined) now.set(DEPARTMENT, department);
      return now;
    });
  return (
    <EldFrame
      title={t('pages.performance')}
      note={data && t('performance.period', { from: logDate(data.from), to: logDate(data.to) })}
      flush
    >
      <RegistryPage
        title={t('pages.performance')}
        count={data && by === 'drivers' && t('roster.count', { count: shown.length })}
        actions={
          data && (
            <>
              <DaysChoice days={days} onChoose={chooseDays} />
              <Link to={paths.reports('score-inputs', `from=${data.from}&to=${data.to}`)} className={buttonLook()}>
                <IconReportAnalytics size={17} stroke={1.75} aria-hidden />
                {t('performance.report')}
              </Link>
              {mayWeigh && (
                <Button
                  icon={<IconAdjustmentsHorizontal size={17} stroke={1.75} aria-hidden />}
                  onClick={() => setIsWeighing(true)}
                >
                  {t('weights.open')}
                </Button>
              )}
            </>
          )
        }
        toolbar={
          <Toolbar
            registry={registry}
            searchHint={t(by === 'drivers' ? 'columns.driver' : 'performance.department')}
            filters={
              hasDepartments && by === 'drivers'
                ? [
                    {
                      id: DEPARTMENT,
                      label: t('performance.department'),
                      options: departments.map(({ departmentId, name }) => ({
                        value: departmentId ?? NONE,
                        label: departmentName(name),
                      })),
                    },
                  ]
                : []
            }
            views={
              hasDepartments && (
                <Segments
                  segments={ROWS_BY.map(id => ({ id, label: t(`performance.by.${id}`) }))}
                  chosen={by}
                  onChoose={showBy}
                  label={t('performance.by.label')}
                />
              )
            }
          >
            {data?.fleet.score != null && (
              <span className={styles.fleet}>
                {t('performance.wholeFleet', { score: figure(data.fleet.score), n: figure(uncertainty(data.fleet)) })}
              </span>
            )}
          </Toolbar>
        }
        below={<p className={styles.formula}>{t('performance.formula', { distance: scoredDistance(system) })}</p>}
        inspector={
          open && (
            <PerformanceInspector
              key={open.driverId}
              driver={open}
              days={days}
              onClose={() => registry.openRow(null)}
            />
          )
        }
      >
        <Stale query={query} />
        {data?.isBehind && <Notice tone="info">{t('performance.behind')}</Notice>}
        {by === 'departments' ? (
          <DepartmentTable
            rows={departments.filter(({ name }) => matchesSearch(registry.query, [departmentName(name)]))}
            onOpen={id => showBy('drivers', id)}
          />
        ) : shown.length > 0 ? (
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
            card={driver => (
              <>
                <ScoreBand {...driver} />
                {columns.find(({ id }) => id === 'change')?.cell(driver)}
              </>
            )}
          />
        ) : (
          <RegistryState
            total={data?.drivers.length}
            error={query.error}
            onRetry={() => void query.refetch()}
            onClear={registry.clear}
            empty={{ title: t('performance.empty.title'), text: t('performance.empty.text') }}
          />
        )}
      </RegistryPage>
      {isWeighing && data && <WeightsDialog weights={data.weights} onClose={() => setIsWeighing(false)} />}
    </EldFrame>
  );
}

interface DepartmentTableProps {
  readonly rows: readonly DepartmentPerformance[];
  /** Shows the drivers of a department, or of `NONE`. */
  readonly onOpen: (department: string) => void;
}

/** How the departments compare; a row leads to its drivers. */
function DepartmentTable({ rows, onOpen }: DepartmentTableProps) {
  const { t } = useTranslation('eld');
  const [sort, setSort] = useState<Sort | null>({ column: 'score', descending: true });
  const figures = useFigureColumns();
  const columns = useMemo((): RegistryColumn<DepartmentPerformance>[] => {
    const nameOf = ({ name }: DepartmentPerformance) => name ?? t('performance.noDepartment');
    return [
      { id: 'name', header: t('performance.department'), cell: row => <b>{nameOf(row)}</b>, sortBy: nameOf },
      {
        id: 'drivers',
        header: t('performance.drivers'),
        align: 'end',
        cell: ({ drivers }) => formatCount(drivers),
        sortBy: ({ drivers }) => drivers,
      },
      ...figures,
    ];
  }, [t, figures]);
  return (
    <RegistryTable
      label={t('performance.by.departments')}
      rows={rows}
      columns={columns}
      idOf={({ departmentId }) => departmentId ?? NONE}
      nameOf={({ name }) => name ?? t('performance.noDepartment')}
      sort={sort}
      onSort={setSort}
      open={null}
      onOpen={id => id !== null && onOpen(id)}
      card={department => <ScoreBand {...department} />}
    />
  );
}

/** Next to the drawer, only name, score and change fit. */
function useColumns(hasRoom: boolean): RegistryColumn<DriverPerformance>[] {
  const { t } = useTranslation('eld');
  const figures = useFigureColumns();
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
      ...figures,
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
  }, [t, figures, hasRoom]);
}
