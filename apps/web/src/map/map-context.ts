import type { Map as MapLibreMap } from 'maplibre-gl';
import { createContext, use } from 'react';
import type { StreetCover } from './base/street-cover.ts';

export interface MapHandle {
  readonly map: MapLibreMap;
  /** Increases whenever a base style has loaded. Our layers are gone then and must be added again. */
  readonly styleEpoch: number;
  /** Where the current base map has streets. */
  readonly streets: StreetCover;
}

export const MapContext = createContext<MapHandle | null>(null);

/** The map that contains this component. Children render once it exists. */
export function useMap(): MapHandle {
  const handle = use(MapContext);
  if (!handle) throw new Error('Map layers belong inside a MapView');
  return handle;
}
