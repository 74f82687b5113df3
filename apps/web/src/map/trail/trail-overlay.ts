import type { Feature } from 'geojson';
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import type { Ink } from '../images/ink.ts';
import type { Pose } from '../scene/glide.ts';
import { SLOTS } from '../style/slots.ts';
import { type TrailPoint, trailStretches } from './trail.ts';

const TRAIL_SOURCE = 'trail';
/**
 * The last piece of the trail, which follows the gliding marker. It has its own source so that the rest needn't change.
 */
const HEAD_SOURCE = 'trail-head';

/** The lowest layer of a trail. Insert here what belongs under all trails. */
export const LOWEST_TRAIL_LAYER = 'trail-gap';

const LATE_POINTS_FROM_ZOOM = 14;
const WIDTH = 3.4;
const HALO = 6.5;

function trailLayers(ink: Ink): LayerSpecification[] {
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const lines = (source: string, part: string): LayerSpecification[] => [
    {
      id: `trail${part}-halo`,
      type: 'line',
      source,
      filter: ['==', ['get', 'kind'], 'track'],
      layout: round,
      paint: { 'line-color': ink('--m-halo'), 'line-width': HALO, 'line-opacity': 0.85 },
    },
    {
      id: `trail${part}-track`,
      type: 'line',
      source,
      filter: ['==', ['get', 'kind'], 'track'],
      layout: round,
      paint: { 'line-color': ink('--brand2'), 'line-width': WIDTH },
    },
  ];
  return [
    {
      id: LOWEST_TRAIL_LAYER,
      type: 'line',
      source: TRAIL_SOURCE,
      filter: ['==', ['get', 'kind'], 'gap'],
      paint: { 'line-color': ink('--brand2'), 'line-width': 2, 'line-dasharray': [3, 2.5], 'line-opacity': 0.8 },
    },
    ...lines(TRAIL_SOURCE, ''),
    ...lines(HEAD_SOURCE, '-head'),
    {
      id: 'trail-late',
      type: 'circle',
      source: TRAIL_SOURCE,
      // At lower zooms, a whole day's points would cover the line.
      minzoom: LATE_POINTS_FROM_ZOOM,
      filter: ['==', ['get', 'kind'], 'late'],
      paint: {
        'circle-radius': 3.2,
        'circle-color': ink('--m-halo'),
        'circle-stroke-color': ink('--brand2'),
        'circle-stroke-width': 1.5,
      },
    },
  ];
}

/** The trail of one vehicle, under the place names. Late points are hollow, gaps are dashed. */
export class TrailOverlay {
  readonly #map: MapLibreMap;
  readonly #ink: Ink;
  #points: readonly TrailPoint[] = [];
  /** The features that MapLibre has by ID, each with a string that identifies its version. */
  #drawn = new Map<string, string>();

  constructor(map: MapLibreMap, ink: Ink) {
    this.#map = map;
    this.#ink = ink;
  }

  attach(): void {
    this.#drawn = new Map();
    for (const source of [TRAIL_SOURCE, HEAD_SOURCE]) {
      this.#map.addSource(source, { type: 'geojson', data: { type: 'FeatureCollection', features: [] } });
    }
    for (const layer of trailLayers(this.#ink)) this.#map.addLayer(layer, SLOTS.trails);
    this.setPoints(this.#points);
  }

  detach(): void {
    if (!this.#source(TRAIL_SOURCE)) return;
    for (const { id } of trailLayers(this.#ink)) this.#map.removeLayer(id);
    for (const source of [TRAIL_SOURCE, HEAD_SOURCE]) this.#map.removeSource(source);
  }

  /** The points so far, in time order. */
  setPoints(points: readonly TrailPoint[]): void {
    this.#points = points;
    const source = this.#source(TRAIL_SOURCE);
    if (!source) return;
    const features = featuresOf(points.slice(0, -1));
    const versions = new Map(features.map(feature => [String(feature.id), versionOf(feature)]));
    const add = features.filter(({ id }) => this.#drawn.get(String(id)) !== versions.get(String(id)));
    const remove = [...this.#drawn.keys()].filter(id => !versions.has(id));
    this.#drawn = versions;
    // Adding a feature with a known ID replaces it.
    if (add.length > 0 || remove.length > 0) void source.updateData({ add, remove });
  }

  /** Where the marker is drawn now; the trail ends exactly there. Null when there is no trail. */
  setHead(pose: Pose | null): void {
    const from = this.#points.at(-2) ?? this.#points.at(-1);
    const feature: Feature[] =
      pose && from
        ? [
            {
              type: 'Feature',
              id: 'head',
              properties: { kind: 'track' },
              geometry: {
                type: 'LineString',
                coordinates: [
                  [from.lon, from.lat],
                  [pose.lon, pose.lat],
                ],
              },
            },
          ]
        : [];
    void this.#source(HEAD_SOURCE)?.updateData({ remove: feature.length === 0 ? ['head'] : [], add: feature });
  }

  #source(id: string): GeoJSONSource | undefined {
    return this.#map.style ? this.#map.getSource<GeoJSONSource>(id) : undefined;
  }
}

function featuresOf(points: readonly TrailPoint[]): Feature[] {
  const stretches = trailStretches(points).map(
    ({ kind, points: track }, i): Feature => ({
      type: 'Feature',
      id: `${kind}-${i}`,
      properties: { kind },
      geometry: { type: 'LineString', coordinates: track.map(({ lon, lat }) => [lon, lat]) },
    }),
  );
  const late = points
    .filter(point => point.late)
    .map(
      ({ lon, lat, timeMs }): Feature => ({
        type: 'Feature',
        id: `late-${timeMs}`,
        properties: { kind: 'late' },
        geometry: { type: 'Point', coordinates: [lon, lat] },
      }),
    );
  return [...stretches, ...late];
}

/** A stretch only changes at its ends or in length, when a late point is inserted, so these identify its version. */
function versionOf({ geometry }: Feature): string {
  if (geometry.type !== 'LineString') return '';
  const { coordinates } = geometry;
  return `${coordinates.length} ${coordinates[0]} ${coordinates.at(-1)}`;
}
