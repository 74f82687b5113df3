import type { ErrorEvent, Map as MapLibreMap, MapSourceDataEvent } from 'maplibre-gl';
import { ROADS_SOURCE } from '../roads/fleet-roads.ts';

/** One missing tile is a gap; this many without a success mean that the base map is unavailable. */
const FAILURES = 3;
/** The map does without them. */
const NOT_BASE: ReadonlySet<string> = new Set(['interstates', ROADS_SOURCE]);

/**
 * Notices whether the base map's own sources deliver, from its first request on. `tell` hears once that they fail, until
 * they deliver again; our own layers are GeoJSON sources made in the browser and are no part of it. Answers how to begin
 * again, with another base map.
 */
export function watchBaseTiles(map: MapLibreMap, tell: (works: boolean) => void): () => void {
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
