import type { ErrorEvent, Map as MapLibreMap, MapSourceDataEvent } from 'maplibre-gl';
import { ROADS_SOURCE } from '../roads/fleet-roads.ts';

/** One lost tile is a hole; so many, and none that came, are a base map that is not there. */
const FAILURES = 3;
/** The map does without them. */
const NOT_BASE: ReadonlySet<string> = new Set(['interstates', ROADS_SOURCE]);

/**
 * Notices whether the base map's own sources deliver. `onFailed` comes once until they deliver again; our own layers
 * are GeoJSON sources made in the browser and are no part of it.
 */
export function watchBaseTiles(
  map: MapLibreMap,
  { onFailed, onWorking }: { readonly onFailed: () => void; readonly onWorking: () => void },
): () => void {
  let failures = 0;
  let failed = false;

  const onError = ({ error, ...event }: ErrorEvent): void => {
    const sourceId = 'sourceId' in event ? event.sourceId : undefined;
    if (typeof sourceId !== 'string' || NOT_BASE.has(sourceId)) return;
    console.warn(`Base map: ${sourceId}`, error);
    // An archive that cannot be opened gives no tiles at all, and says so once.
    failures += 'tile' in event ? 1 : FAILURES;
    if (failures < FAILURES || failed) return;
    failed = true;
    onFailed();
  };
  const onData = ({ sourceDataType, tile, sourceId }: MapSourceDataEvent): void => {
    if (sourceDataType !== undefined || !tile || NOT_BASE.has(sourceId)) return;
    if (map.getSource(sourceId)?.type === 'geojson') return;
    failures = 0;
    if (!failed) return;
    failed = false;
    onWorking();
  };
  map.on('error', onError);
  map.on('sourcedata', onData);
  onWorking();
  return () => {
    map.off('error', onError);
    map.off('sourcedata', onData);
  };
}
