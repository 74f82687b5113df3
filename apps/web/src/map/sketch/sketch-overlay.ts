import type { FeatureCollection } from 'geojson';
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import type { Spot } from '../camera.ts';
import type { Ink } from '../images/ink.ts';
import { SLOTS } from '../style/slots.ts';

const SOURCE = 'sketch';

function sketchLayers(ink: Ink): LayerSpecification[] {
  return [
    {
      id: 'sketch-halo',
      type: 'line',
      source: SOURCE,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': ink('--m-halo'), 'line-width': 5, 'line-opacity': 0.85 },
    },
    {
      id: 'sketch-line',
      type: 'line',
      source: SOURCE,
      layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': ink('--accent'), 'line-width': 2.4 },
    },
    {
      id: 'sketch-points',
      type: 'circle',
      source: SOURCE,
      filter: ['==', ['geometry-type'], 'Point'],
      paint: {
        'circle-radius': 4.5,
        'circle-color': ink('--m-halo'),
        'circle-stroke-color': ink('--accent'),
        'circle-stroke-width': 2,
      },
    },
  ];
}

/** Lines and points that the user is drawing. */
export class SketchOverlay {
  readonly #map: MapLibreMap;
  readonly #ink: Ink;
  #data: FeatureCollection = { type: 'FeatureCollection', features: [] };

  constructor(map: MapLibreMap, ink: Ink) {
    this.#map = map;
    this.#ink = ink;
  }

  /** Adds source and layers to the loaded style. Call it again after a new style has loaded. */
  attach(): void {
    this.#map.addSource(SOURCE, { type: 'geojson', data: this.#data });
    for (const layer of sketchLayers(this.#ink)) this.#map.addLayer(layer, SLOTS.vehicles);
  }

  detach(): void {
    if (!this.#source()) return;
    for (const { id } of sketchLayers(this.#ink)) this.#map.removeLayer(id);
    this.#map.removeSource(SOURCE);
  }

  /** Draws each list of spots as a line, with a point at each spot. */
  draw(lines: readonly (readonly Spot[])[]): void {
    const positionOf = ({ lon, lat }: Spot): [number, number] => [lon, lat];
    this.#data = {
      type: 'FeatureCollection',
      features: lines.flatMap(spots => [
        ...(spots.length > 1
          ? [
              {
                type: 'Feature' as const,
                properties: {},
                geometry: { type: 'LineString' as const, coordinates: spots.map(positionOf) },
              },
            ]
          : []),
        ...spots.map(spot => ({
          type: 'Feature' as const,
          properties: {},
          geometry: { type: 'Point' as const, coordinates: positionOf(spot) },
        })),
      ]),
    };
    void this.#source()?.setData(this.#data);
  }

  #source(): GeoJSONSource | undefined {
    return this.#map.style ? this.#map.getSource<GeoJSONSource>(SOURCE) : undefined;
  }
}
