import type { ErrorEvent, Map as MapLibreMap, MapSourceDataEvent } from 'maplibre-gl';
import { ROADS_SOURCE } from '../roads/fleet-roads.ts';

/** One failed tile is only a gap. This many in a row mean that the base map is unavailable. */
const FAILURES = 3;
/** Sources that the map can do without. */
const NOT_BASE: ReadonlySet<string> = new Set(['interstates', ROADS_SOURCE]);

/**
 * Watches from the first request on whether the base map's sources load. Calls `tell(false)` once when they fail and
 * `tell(true)` when they load again. Our own layers are GeoJSON sources made in the browser and don't count. Returns a
 * function that starts over, for when the base map changes.
 */
export function watchBaseTiles(map: MapLibreMap, tell: (works: boolean) => void): () => void {
  let failures = 0;
  let failed = false;

  const onError = ({ error, ...event }: ErrorEvent): void => {
    const sourceId = 'sourceId' in event ? event.sourceId : undefined;
    if (typeof sourceId !== 'string' || NOT_BASE.has(sourceId)) return;
    console.warn(`Base map: ${sourceId}`, error);
    // An archive that can't be opened has no tiles at all and reports this only once.
    failures += 'tile' in event ? 1 : FAILURES;
    if (failures < FAILURES || failed) return;
    failed = true;
    tell(false);
  };
  const onData = ({ sourceDataType, tile, sourceId }: MapSourceDataEvent): void => {
    if (sourceDataType !== undefined || !tile || NOT_BASE.has(sourceId)) return;
    if (map.getSource(sourceId)?.type === 'geojson') return;
    failures = 0;
    if (!failed) return;
    failed = false;
    tell(true);
  };
  map.on('error', onError);
  map.on('sourcedata', onData);
  return () => {
    failures = 0;
    failed = false;
    tell(true);
  };
}
