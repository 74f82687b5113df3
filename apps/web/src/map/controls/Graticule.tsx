import type { GeoJSONSource } from 'maplibre-gl';
import { useEffect } from 'react';
import { useMap } from '../map-context.ts';
import { FONT } from '../style/fonts.ts';
import { SLOTS } from '../style/slots.ts';
import { themeInk } from '../theme-ink.ts';
import { graticule } from './graticule.ts';

const SOURCE = 'graticule';

/** A coordinate grid where there is no base map, so that positions can still be read and vehicles compared. */
export function Graticule() {
  const { map, styleEpoch } = useMap();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another style has no layers of ours.
  useEffect(() => {
    const ink = themeInk();
    const lines = () => {
      const bounds = map.getBounds();
      return {
        type: 'FeatureCollection' as const,
        features: graticule([bounds.getWest(), bounds.getSouth(), bounds.getEast(), bounds.getNorth()]),
      };
    };
    map.addSource(SOURCE, { type: 'geojson', data: lines() });
    map.addLayer(
      { id: 'graticule-ground', type: 'background', paint: { 'background-color': ink('--m-land') } },
      SLOTS.ground,
    );
    map.addLayer(
      {
        id: 'graticule-lines',
        type: 'line',
        source: SOURCE,
        paint: { 'line-color': ink('--m-admin'), 'line-width': 0.6 },
      },
      SLOTS.ground,
    );
    map.addLayer(
      {
        id: 'graticule-labels',
        type: 'symbol',
        source: SOURCE,
        layout: {
          'symbol-placement': 'line',
          'text-field': ['get', 'label'],
          'text-font': FONT.regular,
          'text-size': 11,
          'text-anchor': 'bottom',
        },
        paint: { 'text-color': ink('--m-label'), 'text-halo-color': ink('--m-halo'), 'text-halo-width': 1.3 },
      },
      SLOTS.ground,
    );
    const redraw = (): void => void map.getSource<GeoJSONSource>(SOURCE)?.setData(lines());
    map.on('moveend', redraw);
    return () => {
      map.off('moveend', redraw);
      if (!map.style || !map.getSource(SOURCE)) return;
      for (const layer of ['graticule-labels', 'graticule-lines', 'graticule-ground']) map.removeLayer(layer);
      map.removeSource(SOURCE);
    };
  }, [map, styleEpoch]);
  return null;
}
