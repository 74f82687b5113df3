import type { Map as MapLibreMap } from 'maplibre-gl';
import { createContext, use } from 'react';
import type { StreetCover } from './base/street-cover.ts';

export interface MapHandle {
  readonly map: MapLibreMap;
  /** Grows with each base style that has been loaded: layers of ours are gone then and have to be added again. */
  readonly styleEpoch: number;
  /** Where the base map has streets. */
  readonly streets: StreetCover;
}

export const MapContext = createContext<MapHandle | null>(null);

/** The surrounding map; children render once it exists. */
export function useMap(): MapHandle {
  const handle = use(MapContext);
  if (!handle) throw new Error('Map layers belong inside a MapView');
  return handle;
}
