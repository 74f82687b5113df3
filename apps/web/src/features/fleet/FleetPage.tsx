import { may } from '@milepost/contract';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Part } from '../../base/chunks/Part.tsx';
import { withTexts } from '../../base/chunks/with-texts.ts';
import { download } from '../../base/download.ts';
import { useSession } from '../../base/session/session.ts';
import { useShortcuts } from '../../base/shortcuts/use-shortcuts.ts';
import { useMedia } from '../../base/use-media.ts';
import { isoDateOf } from '../../format/date.ts';
import { formatCount, nameCollator } from '../../format/locale.ts';
import { formatClock, formatDay, formatZone } from '../../format/time.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { showLivePositions } from '../../live/live.ts';
import { PastProvider, usePast } from '../../live/past.ts';
import { live, PositionsViewProvider, useClock, usePositions } from '../../live/view.ts';
import { allNodes, pathOf } from '../../organisation/groups.ts';
import { RegistryState } from '../../registry/RegistryState.tsx';
import { formatSearch, NO_SEARCH } from '../../search-tokens/search-text.ts';
import { hasFilters, UnknownValues } from '../../search-tokens/unknown/lazy.ts';
import { useAt } from '../../time-travel/at.ts';
import type { ShownPast } from '../../time-travel/TimeTravelBar.tsx';
import { Button } from '../../ui/Button.tsx';
import { useSize } from '../../ui/use-size.ts';
import { AddVehicleDialog } from '../../vehicles/add-vehicle/lazy.ts';
import { FleetBoard } from './board/FleetBoard.tsx';
import { type BulkDialog, FleetBulkBar } from './bulk/FleetBulkBar.tsx';
import { FleetCards } from './cards/FleetCards.tsx';
import { withColumn } from './columns/column-ids.ts';
import { defaultColumns } from './columns/default-columns.ts';
import { FleetControls } from './controls/FleetControls.tsx';
import { PhoneControls } from './controls/PhoneControls.tsx';
import { fleetCsv } from './export/fleet-csv.ts';
import styles from './FleetPage.module.css';
import { useAttention } from './rows/use-attention.ts';
import { useFleetRows } from './rows/use-fleet-rows.ts';
import { useFleetView } from './state/use-fleet-view.ts';
import { TotalsLine } from './TotalsLine.tsx';
import { FleetTable } from './table/FleetTable.tsx';
import { useGroupName } from './table/GroupHead.tsx';
import { useFleetFacts } from './use-fleet-facts.ts';
import { useViews } from './views/use-views.ts';
import { FleetWall } from './wall/FleetWall.tsx';

// Loads only when the page shows the past.
const TimeTravelBar = withTexts(() => import('../../time-travel/TimeTravelBar.tsx'), {
  timeTravel: () => import('../../locales/en-US/time-travel.json'),
});

const NOTHING: ReadonlySet<string> = new Set();
const UNUSED = { logs: false, tasks: false };
/** How far back the past view starts. */
const HOUR_MS = 3_600_000;

/** The second live page: the fleet as a list, for work with many vehicles at once. Also shows a past moment. */
export function Component() {
  const isPhone = useMedia('(max-width: 37.49em)');
  const [shown, setShown] = useState<ShownPast>();
  const [atMs] = useAt();
  const [selected, setSelected] = useState(NOTHING);
  const clear = (): boolean => {
    setSelected(NOTHING);
    return selected.size > 0;
  };
  return (
    <PositionsViewProvider value={shown?.view ?? live}>
      <PastProvider value={shown?.past}>
        <div className={styles.frame} data-page={isPhone ? 'flow' : undefined}>
          <Part>{atMs !== null && <TimeTravelBar onPast={setShown} onEscape={clear} />}</Part>
          <Fleet selected={selected} setSelected={setSelected} />
        </div>
      </PastProvider>
    </PositionsViewProvider>
  );
}

interface Props {
  readonly selected: ReadonlySet<string>;
  readonly setSelected: (imeis: ReadonlySet<string>) => void;
}

function Fleet({ selected, setSelected }: Props) {
  const { t } = useTranslation(['fleet', 'vehicle', 'shell', 'registry']);
  useEffect(showLivePositions, []);
  const clock = useClock();
  const positions = usePositions();
  const me = useSession(session => session.me);
  const system = useMeasureSystem();
  const isPhone = useMedia('(max-width: 37.49em)');
  const [listRef, { width }] = useSize();

  const state = useFleetView();
  const { view, change } = state;
  const { layout } = view;
  const sorted = view.order.column;
  // Known before logs and tasks are: without their columns, this one has more room, so it is never left out by mistake.
  const showsInside = isPhone || (view.columns ?? defaultColumns(width, UNUSED)).some(({ id }) => id === 'inside');
  const { vehicles, nodes, facts, dayFailed, error, refetch, mayChoose } = useFleetFacts(
    view.period,
    view.search.tokens,
    showsInside,
  );
  const [logs, tasks] = [facts.hoursOf !== undefined, facts.taskOf !== undefined];
  const columns = useMemo(
    () => view.columns ?? withColumn(defaultColumns(width, { logs, tasks }), sorted),
    [view.columns, width, sorted, logs, tasks],
  );
  const { element, isHeld } = useAttention();
  const group = layout === 'board' ? 'status' : view.group;
  const search = useDeferredValue(view.search);
  const rows = useFleetRows({ search, order: view.order, group }, facts, isHeld);
  const groupName = useGroupName(rows.grouping);
  const current = useViews().views.find(({ id }) => id === state.viewId);

  const [dialog, setDialog] = useState<BulkDialog | null>(null);
  const [adding, setAdding] = useState(false);
  // Vehicles that no longer exist are no longer selected.
  const chosen = useMemo(() => vehicles.filter(({ imei }) => selected.has(imei)), [vehicles, selected]);
  const searchRef = useRef<HTMLInputElement>(null);
  const isPast = usePast() !== undefined;
  const [, showMoment] = useAt();
  useShortcuts([
    { keys: ['f'], label: t('filter.label'), group: t('title'), run: () => searchRef.current?.focus() },
    ...(isPast
      ? []
      : [
          { keys: ['t'], label: t('past'), group: t('title'), run: () => showMoment(Date.now() - HOUR_MS) },
          { keys: ['Escape'], label: t('registry:clearSelection'), group: t('title'), run: () => setSelected(NOTHING) },
        ]),
  ]);

  const mayCommand = me !== null && may(me, 'commands.read') && !isPast;
  const mayAdd = me !== null && may(me, 'vehicles.write') && !isPast;
  const onCommand = mayCommand
    ? (imeis: readonly string[]) => {
        setSelected(new Set(imeis));
        setDialog('command');
      }
    : null;
  const choices = useMemo(
    () => ({
      folders: [...allNodes(nodes)].map(({ id }) => pathOf(nodes, id).join('/')),
      tags: [...new Set(vehicles.flatMap(({ tags }) => tags))].toSorted(nameCollator().compare),
    }),
    [nodes, vehicles],
  );

  function exportCsv(only: ReadonlySet<string> | null): void {
    const nowMs = clock.now();
    const title = (vehicles: number): string =>
      [
        t('export.title', {
          time: `${formatDay(nowMs)} ${formatClock(nowMs)}`,
          zone: formatZone(nowMs),
          count: formatCount(vehicles),
        }),
        ...(formatSearch(view.search) === '' ? [] : [t('export.filter', { filter: formatSearch(view.search) })]),
      ].join(' · ');
    const csv = fleetCsv({
      rows,
      entryOf: imei => positions.get(imei),
      columns,
      facts,
      reader: { t, system, nowMs, isPast },
      title,
      group:
        rows.grouping === 'none' || layout === 'wall'
          ? null
          : { head: t(`group.head.${rows.grouping}`), nameOf: groupName },
      only,
    });
    download(new Blob([csv], { type: 'text/csv' }), `fleet-${isoDateOf(nowMs)}.csv`);
  }

  const shared = { rows, facts, selected, onSelect: setSelected, onCommand };
  const totals = <TotalsLine rows={rows} dayFailed={dayFailed} period={view.period.name} sorted={sorted} />;
  const onExport = rows.totals.vehicles === 0 ? null : () => exportCsv(null);
  const controls = { state, choices, searchRef, totals, onExport, mayChoosePeriod: mayChoose };
  return (
    <div className={styles.page}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      {isPhone ? (
        <PhoneControls {...controls} viewName={current?.name} shown={rows.totals.vehicles} />
      ) : (
        <FleetControls {...controls} columns={columns} />
      )}
      <Part>{hasFilters(view.search) && <UnknownValues search={view.search} />}</Part>
      <div className={styles.list} ref={listRef}>
        {rows.totals.vehicles === 0 ? (
          <RegistryState
            total={rows.total ?? undefined}
            error={error}
            onRetry={() => void refetch()}
            onClear={() => change({ search: NO_SEARCH })}
            empty={{
              title: t('empty.title'),
              text: t(mayAdd ? 'empty.text' : 'empty.readOnly'),
              action: mayAdd && (
                <Button variant="primary" onClick={() => setAdding(true)}>
                  {t('empty.action')}
                </Button>
              ),
            }}
          />
        ) : layout === 'board' ? (
          <FleetBoard {...shared} attention={element} />
        ) : isPhone ? (
          <FleetCards {...shared} />
        ) : (
          <FleetTable {...shared} view={view} columns={columns} onView={change} attention={element} />
        )}
        <FleetBulkBar
          vehicles={chosen}
          nodes={nodes}
          dialog={dialog}
          onDialog={setDialog}
          onExport={() => exportCsv(selected)}
          onClear={() => setSelected(NOTHING)}
        />
      </div>
      {layout === 'wall' && (
        <FleetWall
          rows={rows}
          facts={facts}
          title={current?.name ?? t('views.all')}
          totals={totals}
          onLeave={() => change({ layout: 'table' })}
        />
      )}
      <Part>{adding && <AddVehicleDialog open imei="" folderId={null} onClose={() => setAdding(false)} />}</Part>
    </div>
  );
}
