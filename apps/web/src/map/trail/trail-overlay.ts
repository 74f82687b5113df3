import type { Feature } from 'geojson';
import type { GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import type { Ink } from '../images/ink.ts';
import type { Pose } from '../scene/glide.ts';
import { SLOTS } from '../style/slots.ts';
import { type TrailPoint, trailStretches } from './trail.ts';

const TRAIL_SOURCE = 'trail';
/** The track's last piece, which follows the gliding marker; separate, so that the rest needn't change. */
const HEAD_SOURCE = 'trail-head';

/** What lies under all trails goes before it. */
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
      // Farther out the points of a whole day would cover the line that they stand on.
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

/** The track of one vehicle, under the place names; late points hollow, gaps dashed. */
export class TrailOverlay {
  readonly #map: MapLibreMap;
  readonly #ink: Ink;
  #points: readonly TrailPoint[] = [];
  /** Features that MapLibre has, by id, with what tells one version from another. */
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

  /** The points so far, in the order of time. */
  setPoints(points: readonly TrailPoint[]): void {
    this.#points = points;
    const source = this.#source(TRAIL_SOURCE);
    if (!source) return;
    const features = featuresOf(points.slice(0, -1));
    const versions = new Map(features.map(feature => [String(feature.id), versionOf(feature)]));
    const add = features.filter(({ id }) => this.#drawn.get(String(id)) !== versions.get(String(id)));
    const remove = [...this.#drawn.keys()].filter(id => !versions.has(id));
    this.#drawn = versions;
    // Adding what is there already replaces it.
    if (add.length > 0 || remove.length > 0) void source.updateData({ add, remove });
  }

  /** Where the marker is drawn now; the trail reaches exactly to it. Null when there is no trail to lead. */
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

/** A stretch only grows at its ends, or again after a late point: its length and its ends tell versions apart. */
function versionOf({ geometry }: Feature): string {
  if (geometry.type !== 'LineString') return '';
  const { coordinates } = geometry;
  return `${coordinates.length} ${coordinates[0]} ${coordinates.at(-1)}`;
}
