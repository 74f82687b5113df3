import type { Geofence } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NotLoaded } from '../../../base/NotLoaded.tsx';
import { useMedia } from '../../../base/use-media.ts';
import { formatDuration } from '../../../format/duration.ts';
import { formatCount, nameCollator } from '../../../format/locale.ts';
import { boundsOf } from '../../../geofences/shapes.ts';
import { useGeofences } from '../../../geofences/use-geofences.ts';
import { type InsideNow, useInside } from '../../../geofences/use-inside.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { useMinute, useVehicle } from '../../../live/view.ts';
import { askForView } from '../../../map/asked-view.ts';
import hidden from '../../../ui/hidden.module.css';
import { Plate } from '../../../ui/Plate.tsx';
import { SearchBox } from '../../../ui/SearchBox.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { Tree } from '../../../ui/tree/Tree.tsx';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { setCurrentVehicle, useDashboard } from '../state/dashboard-state.ts';
import styles from './DriverPanel.module.css';

interface PlaceNode {
  readonly kind: 'place';
  readonly id: string;
  readonly name: string;
  readonly geofence: Geofence;
  readonly children: readonly VisitorNode[];
}

interface VisitorNode {
  readonly kind: 'vehicle';
  readonly id: string;
  readonly name: string;
  readonly imei: string;
  readonly sinceMs: number;
  readonly children: readonly [];
}

type Node = PlaceNode | VisitorNode;

const PLACE_PX = 38;
const ROW_PX = 34;
const PHONE_ROW_PX = 48;
const CLOSEST_ZOOM = 16;

const heightOf = ({ kind }: Node): number => (kind === 'place' ? PLACE_PX : ROW_PX);

/** The geofences and which vehicles are inside each now, the fullest first. */
export function Component() {
  const { t } = useTranslation(['visits', 'dashboard']);
  const isPhone = useMedia('(max-width: 37.49em)');
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const current = useDashboard(state => state.current);
  const { data: geofences, error: geofencesError, refetch: refetchGeofences } = useGeofences();
  const { data: inside, error: insideError, refetch: refetchInside } = useInside();
  const roots = usePlaces(geofences, inside, query);
  const error = geofencesError ?? insideError;
  if (!geofences || !inside) {
    const again = (): void => void Promise.all([refetchGeofences(), refetchInside()]);
    return <NotLoaded className={styles.state} error={error} onRetry={again} />;
  }
  const onExpand = (ids: readonly string[], on: boolean): void =>
    setOpened(before => {
      const after = new Set(before);
      for (const id of ids) on ? after.add(id) : after.delete(id);
      return after;
    });
  const onChoose = (node: Node): void => {
    if (node.kind === 'vehicle') setCurrentVehicle(node.imei);
    else {
      if (node.children.length > 0) onExpand([node.id], !opened.has(node.id));
      look(node.geofence);
    }
  };
  const chosen = roots.flatMap(({ children }) => children).find(({ imei }) => imei === current);
  return (
    <div className={styles.panel}>
      <div className={styles.search}>
        <SearchBox
          value={query}
          onSearch={setQuery}
          label={t('places.search')}
          placeholder={t('places.searchHint')}
          clearLabel={t('dashboard:list.clearSearch')}
        />
      </div>
      {roots.length === 0 ? (
        <p className={styles.state}>
          {geofences.length === 0 ? t('places.none') : t('places.noneFound', { query: query.trim() })}
        </p>
      ) : (
        <Tree<Node>
          look="list"
          label={t('places.title')}
          roots={roots}
          expanded={opened}
          onExpand={onExpand}
          nameOf={({ name }) => name}
          spokenOf={() => null}
          current={chosen?.id ?? null}
          onChoose={onChoose}
          rowPx={isPhone ? () => PHONE_ROW_PX : heightOf}
          indent={({ level }) => level - 1}
          typing={false}
        >
          {node =>
            node.kind === 'vehicle' ? (
              <Visitor node={node} />
            ) : (
              <>
                <span className={hidden.hidden}>
                  {node.name}, {t('insideCount', { count: node.children.length })}
                </span>
                <b className={styles.name} aria-hidden="true">
                  {node.name}
                </b>
                <span className={styles.count} aria-hidden="true">
                  {node.geofence.isOn ? formatCount(node.children.length) : t('places.off')}
                </span>
              </>
            )
          }
        </Tree>
      )}
    </div>
  );
}

function Visitor({ node: { imei, name, sinceMs } }: { readonly node: VisitorNode }) {
  const entry = useVehicle(imei);
  const nowMs = useMinute();
  return (
    <>
      {entry && <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} size={12} />}
      <Plate>{name}</Plate>
      <span className={styles.name} />
      <span className={styles.count}>{formatDuration(nowMs - sinceMs)}</span>
    </>
  );
}

function usePlaces(
  geofences: readonly Geofence[] | undefined,
  inside: InsideNow | undefined,
  query: string,
): readonly PlaceNode[] {
  const { data: vehicleList } = useQuery(vehicleListQuery);
  return useMemo(() => {
    const vehicles = new Map(vehicleList?.map(vehicle => [vehicle.id, vehicle]));
    const visits = Map.groupBy(inside?.inside ?? [], ({ geofenceId }) => geofenceId);
    const wanted = query.trim().toLocaleLowerCase();
    const places = (geofences ?? []).map((geofence): PlaceNode => {
      const children = (visits.get(geofence.id) ?? []).flatMap(({ deviceId, since }): VisitorNode[] => {
        const vehicle = vehicles.get(deviceId);
        if (!vehicle) return [];
        const { deviceName: name, imei } = vehicle;
        const sinceMs = Date.parse(since);
        return [{ kind: 'vehicle', id: `${geofence.id}-${deviceId}`, name, imei, sinceMs, children: [] }];
      });
      return { kind: 'place', id: geofence.id, name: geofence.name, geofence, children };
    });
    return places
      .filter(({ name, children }) =>
        [name, ...children.map(child => child.name)].some(text => text.toLocaleLowerCase().includes(wanted)),
      )
      .toSorted((a, b) => b.children.length - a.children.length || nameCollator().compare(a.name, b.name));
  }, [vehicleList, geofences, inside, query]);
}

/** Moves the map to a geofence. */
function look({ shape }: Geofence): void {
  const [west, south, east, north] = boundsOf(shape);
  const extent = Math.max(east - west, north - south, 0.001);
  askForView({
    center: [(west + east) / 2, (south + north) / 2],
    zoom: Math.min(CLOSEST_ZOOM, Math.log2(360 / extent) - 0.5),
  });
}
