import { may } from '@milepost/contract';
import { lazy, Suspense, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../app/session/session.ts';
import { ShellSlot } from '../../app/shell/ShellSlot.tsx';
import { showLivePositions } from '../../live/live.ts';
import { useVehicle } from '../../live/use-vehicle.ts';
import hidden from '../../ui/hidden.module.css';
import { AddVehicleDialog } from '../../vehicles/add-vehicle/lazy.ts';
import styles from './DashboardPage.module.css';
import { FreshnessStatus } from './freshness/FreshnessStatus.tsx';
import { useFleetList } from './list/use-fleet-list.ts';
import type { ListHandle } from './list/VehicleList.tsx';
import { VehiclePanel } from './list/VehiclePanel.tsx';
import type { MapHandle } from './map/FleetMap.tsx';
import { MapBoundary } from './map/MapBoundary.tsx';
import { PhoneParts } from './phone/PhoneParts.tsx';
import { type SheetStop, sheetHeight } from './phone/sheet-stops.ts';
import { hasTray, SelectionTray } from './SelectionTray.tsx';
import { useDashboard } from './state/dashboard-state.ts';
import { useUrlState } from './state/use-url-state.ts';
import { useDashboardShortcuts } from './use-dashboard-shortcuts.ts';
import { useInsets } from './use-insets.ts';
import { useLayout } from './use-layout.ts';
import { useSize } from './use-size.ts';

// The map is the largest part of the page and not needed for the list: it comes by itself [R2.27].
const FleetMap = lazy(async () => ({ default: (await import('./map/FleetMap.tsx')).FleetMap }));
const loadCard = async () => ({ default: (await import('./card/VehicleCard.tsx')).VehicleCard });
const VehicleCard = lazy(loadCard);

/** The live page: the fleet as a list and on the map, and one vehicle in full. */
export function Component() {
  const { t } = useTranslation(['dashboard', 'shell']);
  useUrlState();
  useEffect(showLivePositions, []);
  // Not needed to begin with, and there before anyone can choose a vehicle.
  useEffect(() => void loadCard(), []);

  const me = useSession(session => session.me);
  const list = useFleetList();
  const layout = useLayout();
  const currentId = useDashboard(state => state.current);
  const current = useVehicle(currentId);
  const showsTray = useDashboard(hasTray) && layout !== 'phone';
  const [stop, setStop] = useState<SheetStop>('half');
  const [adding, setAdding] = useState<{ readonly imei: string } | null>(null);
  const [pageRef, page] = useSize();
  const [panelRef, panel] = useSize();

  const listRef = useRef<ListHandle>(null);
  const mapRef = useRef<MapHandle>(null);
  const searchRef = useRef<HTMLInputElement>(null);
  useDashboardShortcuts({ list: listRef, map: mapRef, search: searchRef });

  const shown = useMemo(
    () => (list.imeis.length === list.total ? null : new Set(list.imeis)),
    [list.imeis, list.total],
  );
  // While someone types the list comes first; the map follows as soon as there is time.
  const shownOnMap = useDeferredValue(shown);
  const cardHeight = layout === 'phone' ? sheetHeight(stop === 'full' ? 'half' : stop, page.height) : panel.height;
  const insets = useInsets(layout, current !== undefined, showsTray, cardHeight);

  const onAdd = me && may(me, 'vehicles.write') ? (imei = '') => setAdding({ imei }) : null;
  const card = current && (
    <Suspense>
      <VehicleCard imei={current.vehicle.imei} onZoom={imei => mapRef.current?.show(imei)} />
    </Suspense>
  );
  const showsList = layout !== 'phone' && !(layout === 'tablet' && current);
  const vehicles = <VehiclePanel list={list} listRef={listRef} searchRef={searchRef} onAdd={onAdd} />;

  return (
    <div className={styles.page} data-layout={layout} data-card={current ? true : undefined} ref={pageRef}>
      <title>{t('shell:appTitle', { page: t('title') })}</title>
      <h1 className={hidden.hidden}>{t('title')}</h1>
      <ShellSlot name="skip-links">
        <a href="#vehicle-list">{t('list.skip')}</a>
        <a href="#fleet-map">{t('list.skipToMap')}</a>
      </ShellSlot>
      <ShellSlot name="freshness">
        <FreshnessStatus />
      </ShellSlot>
      {showsList && <div className={styles.list}>{vehicles}</div>}
      <section className={styles.map} id="fleet-map" tabIndex={-1} aria-label={t('map.section')}>
        <MapBoundary>
          <Suspense fallback={<p className={styles.loading}>{t('map.loading')}</p>}>
            <FleetMap ref={mapRef} shown={shownOnMap} insets={insets} />
          </Suspense>
        </MapBoundary>
        {showsTray && (
          <div className={styles.tray} style={{ bottom: layout === 'tablet' ? panel.height + 12 : 12 }}>
            <SelectionTray onFit={imeis => mapRef.current?.fit(imeis)} />
          </div>
        )}
        {layout === 'desktop' && card && <div className={styles.float}>{card}</div>}
        {layout === 'tablet' && card && (
          <div className={styles.bottom} ref={panelRef}>
            {card}
          </div>
        )}
      </section>
      {layout === 'wide' && card && <div className={styles.docked}>{card}</div>}
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
      <Suspense>{adding && <AddVehicleDialog open imei={adding.imei} onClose={() => setAdding(null)} />}</Suspense>
    </div>
  );
}
