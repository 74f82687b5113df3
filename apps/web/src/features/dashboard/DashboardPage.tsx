import { may } from '@milepost/contract';
import { type ReactNode, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { AskedNote } from '../../alerts/AskedNote.tsx';
import { AlertRail } from '../../alerts/lazy.ts';
import { lazyChunk } from '../../base/chunks/load-chunk.ts';
import { Part } from '../../base/chunks/Part.tsx';
import { withTexts } from '../../base/chunks/with-texts.ts';
import { ShellSlot } from '../../base/ShellSlot.tsx';
import { useSession } from '../../base/session/session.ts';
import { useMedia } from '../../base/use-media.ts';
import { showLivePositions } from '../../live/live.ts';
import { PastProvider, usePast } from '../../live/past.ts';
import { live, PositionsViewProvider, useVehicle } from '../../live/view.ts';
import { AT_PARAMETER } from '../../paths.ts';
import type { ShownPast } from '../../time-travel/TimeTravelBar.tsx';
import hidden from '../../ui/hidden.module.css';
import { useSize } from '../../ui/use-size.ts';
import { AddVehicleDialog } from '../../vehicles/add-vehicle/lazy.ts';
import styles from './DashboardPage.module.css';
import type { ListHandle } from './list/FleetTree.tsx';
import { ListPanel } from './list/ListPanel.tsx';
import { useFleetList } from './list/use-fleet-list.ts';
import type { MapHandle } from './map/FleetMap.tsx';
import { MapBoundary } from './map/MapBoundary.tsx';
import { PhoneParts } from './phone/PhoneParts.tsx';
import { type SheetStop, sheetHeight } from './phone/sheet-stops.ts';
import { closeTopmost, setCurrentVehicle, useDashboard } from './state/dashboard-state.ts';
import { hasTray } from './state/selection.ts';
import { useKeptSelection } from './state/use-kept-selection.ts';
import { useUrlState } from './state/use-url-state.ts';
import { useDashboardShortcuts } from './use-dashboard-shortcuts.ts';
import { useInsets } from './use-insets.ts';
import { useLayout } from './use-layout.ts';
import { useStage } from './use-stage.ts';

// The map is the largest part of the page and not needed for the list, so it loads separately [R2.27].
const FleetMap = withTexts(() => import('./map/FleetMap.tsx'), {
  dashboardMap: () => import('../../locales/en-US/dashboard-map.json'),
});
const SplitView = withTexts(() => import('./split/SplitView.tsx'), {
  dashboardMap: () => import('../../locales/en-US/dashboard-map.json'),
});
// Loads only when the page shows the past.
const TimeTravelBar = withTexts(() => import('../../time-travel/TimeTravelBar.tsx'), {
  timeTravel: () => import('../../locales/en-US/time-travel.json'),
});
const Dialogs = lazyChunk(async () => (await import('./dialogs/Dialogs.tsx')).Dialogs);
const Wall = lazyChunk(async () => (await import('./wall/Wall.tsx')).Wall);
const SelectionTray = lazyChunk(async () => (await import('./SelectionTray.tsx')).SelectionTray);
const loadCard = async () => (await import('./card/VehicleCard.tsx')).VehicleCard;
const VehicleCard = lazyChunk(loadCard);

/** Height of the scale bar and the map credits, which are below the legend. */
const SCALE_PX = 32;

/** The live page: the fleet as a list and on a map, and one vehicle in detail. Also shows the same at a past moment. */
export function Component() {
  const [shown, setShown] = useState<ShownPast>();
  const isPast = useSearchParams()[0].has(AT_PARAMETER);
  return (
    <PositionsViewProvider value={shown?.view ?? live}>
      <PastProvider value={shown?.past}>
        <Dashboard>{isPast && <TimeTravelBar onPast={setShown} onEscape={closeTopmost} />}</Dashboard>
      </PastProvider>
    </PositionsViewProvider>
  );
}

function Dashboard({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation(['dashboard', 'shell']);
  useKeptSelection();
  useUrlState();
  useStage();
  useEffect(showLivePositions, []);
  // The card isn't needed at first, but must be loaded before anyone can choose a vehicle.
  useEffect(() => void loadCard().catch(() => {}), []);

  const me = useSession(session => session.me);
  const list = useFleetList();
  const layout = useLayout();
  const currentId = useDashboard(state => state.current);
  const current = useVehicle(currentId);
  const hasDialog = useDashboard(state => state.dialog !== null);
  const stage = useDashboard(state => state.stage);
  const isWall = stage === 'wall';
  const compares = useDashboard(state => state.compares) && layout !== 'phone' && !isWall;
  const showsTray = useDashboard(hasTray) && layout !== 'phone' && !compares && !isWall;
  const [stop, setStop] = useState<SheetStop>('half');
  const [adding, setAdding] = useState<{ readonly imei: string } | null>(null);
  const [legend, setLegend] = useState<HTMLElement | null>(null);
  const [pageRef, page] = useSize();
  const [panelRef, panel] = useSize();

  const listRef = useRef<ListHandle>(null);
  const mapRef = useRef<MapHandle>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  useDashboardShortcuts({ list: listRef, map: mapRef, search: searchRef });

  const shown = useMemo(
    () => (list.entries.length === list.total ? null : new Set(list.entries.map(({ vehicle }) => vehicle.imei))),
    [list.entries, list.total],
  );
  // While someone types, the list updates first; the map follows when there is time.
  const shownOnMap = useDeferredValue(shown);
  const cardHeight = layout === 'phone' ? sheetHeight(stop === 'full' ? 'half' : stop, page.height) : panel.height;
  const insets = useInsets({ layout, hasCard: current !== undefined, hasTray: showsTray, cardHeight, stage });

  const hasCardBelow = layout === 'tablet' || layout === 'phone';
  const cornerBottom = (hasCardBelow ? cardHeight : 0) + (layout === 'tablet' ? 12 : SCALE_PX);

  const isPast = usePast() !== undefined;
  const onAdd = me && may(me, 'vehicles.write') && !isPast ? (imei = '') => setAdding({ imei }) : null;
  // On a phone, alerts are in the bar.
  const showsRail = layout !== 'phone' && !compares && !isWall;
  const isSmall = useMedia('(max-width: 89.99em), (max-height: 44.99em)');
  // Beside a card, alerts shrink to a counter: the user is looking at one vehicle.
  const foldsAlerts = isSmall || current !== undefined;
  const card = current && !compares && !isWall && (
    <Part>
      <VehicleCard imei={current.vehicle.imei} onZoom={imei => mapRef.current?.show(imei)} />
    </Part>
  );
  const showsList = layout !== 'phone' && !(layout === 'tablet' && current);
  const vehicles = <ListPanel list={list} listRef={listRef} searchRef={searchRef} onAdd={onAdd} />;

  const content = (
    <div className={styles.page} data-layout={layout} data-card={card ? true : undefined} ref={pageRef}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <h1 className={hidden.hidden}>{t('title')}</h1>
      <ShellSlot name="skip-links">
        <a href="#vehicle-list">{t('list.skip')}</a>
        <a href="#fleet-map">{t('list.skipToMap')}</a>
      </ShellSlot>
      {showsList && <div className={styles.list}>{vehicles}</div>}
      <section className={styles.map} id="fleet-map" tabIndex={-1} aria-label={t('map.section')}>
        <MapBoundary>
          {/* Each part loads on its own, so that one still loading doesn't hide the others. */}
          <Part key={compares ? 'split' : 'fleet'} fallback={<p className={styles.loading}>{t('map.loading')}</p>}>
            {compares ? (
              <SplitView />
            ) : (
              <FleetMap ref={mapRef} shown={shownOnMap} insets={insets} legend={legend} zooms={layout === 'phone'} />
            )}
          </Part>
          <Part>{isWall && <Wall list={list} map={mapRef} />}</Part>
        </MapBoundary>
        <AskedNote />
        <div className={styles.corner} style={{ bottom: cornerBottom }}>
          <Part>
            {showsRail && <AlertRail key={String(foldsAlerts)} compact={foldsAlerts} onVehicle={setCurrentVehicle} />}
          </Part>
          <Part>{showsTray && <SelectionTray onFit={imeis => mapRef.current?.fit(imeis)} />}</Part>
          {!compares && !isWall && <div className={styles.legend} ref={setLegend} />}
        </div>
        {(layout === 'desktop' || (layout === 'wide' && stage === 'full')) && card && (
          <div className={styles.float}>{card}</div>
        )}
        {layout === 'tablet' && card && (
          <div className={styles.bottom} ref={panelRef}>
            {card}
          </div>
        )}
      </section>
      {layout === 'wide' && stage === 'page' && card && <div className={styles.docked}>{card}</div>}
      {layout === 'phone' && (
        <PhoneParts
          list={list}
          searchRef={searchRef}
          stop={stop}
          onStop={setStop}
          pageHeight={page.height}
          card={card ?? null}
          vehicles={vehicles}
        />
      )}
      <Part>{hasDialog && <Dialogs />}</Part>
      <Part>{adding && <AddVehicleDialog open imei={adding.imei} onClose={() => setAdding(null)} />}</Part>
    </div>
  );
  return (
    <div className={styles.frame}>
      <Part>{children}</Part>
      {content}
    </div>
  );
}
