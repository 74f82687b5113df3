import type { GeofenceColor, GeofenceShape } from '@milepost/contract';
import type { Feature, FeatureCollection, Geometry } from 'geojson';
import type { ExpressionSpecification, GeoJSONSource, LayerSpecification, Map as MapLibreMap } from 'maplibre-gl';
import { canvas, type Ink, PIXEL_RATIO, pixelsOf } from '../map/images/ink.ts';
import { FONT } from '../map/style/fonts.ts';
import { SLOTS } from '../map/style/slots.ts';
import { boundsOf, corridorArea, geometryOf, labelPointOf } from './shapes.ts';

export interface DrawnFence {
  readonly id: string;
  readonly name: string;
  readonly color: GeofenceColor;
  readonly isRestricted: boolean;
  readonly isOn: boolean;
  readonly shape: GeofenceShape;
  /** Width in meters of the pale band around the edge; 0: no band. */
  readonly bufferM: number;
  /** Being edited, so the editor draws its outline. */
  readonly isDraft: boolean;
}

const SOURCE = 'fences';
const HATCH = 'fence-hatch';
/** The theme token of each color. */
export const FENCE_TOKENS: Readonly<Record<GeofenceColor, string>> = {
  blue: '--s1',
  teal: '--s2',
  orange: '--s3',
  purple: '--s4',
  plum: '--s5',
};
/** Meters per pixel at the equator at zoom 0, with tiles of 512 pixels. */
const METERS_A_PIXEL = 40_075_016.686 / 512;
const NAME_FROM_PX = 60;

/** Converts a width in meters to pixels at every zoom. */
const wide = (property: string): ExpressionSpecification => [
  'interpolate',
  ['exponential', 2],
  ['zoom'],
  0,
  ['get', property],
  24,
  ['*', ['get', property], 2 ** 24],
];

function fenceLayers(ink: Ink): LayerSpecification[] {
  const tokens = Object.entries(FENCE_TOKENS).flatMap(([name, token]) => [name, ink(token)]);
  const color = ['match', ['get', 'color'], ...tokens, ink('--critical')] as unknown as ExpressionSpecification;
  const isLine: ExpressionSpecification = ['==', ['geometry-type'], 'LineString'];
  // An area has its name at a point of its own: MapLibre would write it in each tile that the area is in.
  const isPoint: ExpressionSpecification = ['==', ['geometry-type'], 'Point'];
  const isKept: ExpressionSpecification = ['!', ['get', 'draft']];
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const strength = (on: number, off: number): ExpressionSpecification => ['case', ['get', 'on'], on, off];
  return [
    {
      id: 'fence-buffer',
      type: 'line',
      source: SOURCE,
      filter: ['>', ['get', 'buffer'], 0],
      layout: round,
      paint: { 'line-color': color, 'line-width': wide('buffer'), 'line-opacity': 0.14 },
    },
    {
      id: 'fence-fill',
      type: 'fill',
      source: SOURCE,
      filter: ['all', ['!', isLine], isKept],
      paint: { 'fill-color': color, 'fill-opacity': strength(0.16, 0.06) },
    },
    {
      id: HATCH,
      type: 'fill',
      source: SOURCE,
      filter: ['all', ['==', ['get', 'color'], 'restricted'], ['!', isLine]],
      paint: { 'fill-pattern': HATCH },
    },
    {
      id: 'fence-line',
      type: 'line',
      source: SOURCE,
      filter: ['all', ['!', isLine], isKept],
      layout: { 'line-join': 'round' },
      paint: { 'line-color': color, 'line-width': 2.4, 'line-opacity': strength(1, 0.5) },
    },
    ...(['point', 'line-center'] as const).map(
      (placement): LayerSpecification => ({
        id: `fence-name-${placement}`,
        type: 'symbol',
        source: SOURCE,
        filter: ['all', ['>=', ['zoom'], ['get', 'nameFrom']], placement === 'point' ? isPoint : isLine],
        layout: {
          'symbol-placement': placement,
          'text-field': ['get', 'name'],
          'text-font': FONT.semibold,
          'text-size': 12,
          // In the middle, or beside a vehicle that is there.
          ...(placement === 'point' && {
            'text-variable-anchor': ['center', 'top', 'bottom', 'left', 'right'],
            'text-radial-offset': 1.4,
          }),
        },
        paint: { 'text-color': color, 'text-halo-color': ink('--m-halo'), 'text-halo-width': 1.5 },
      }),
    ),
  ];
}

/** Geofences on a map, below its place names; their own names win over those. */
export class FenceOverlay {
  readonly #map: MapLibreMap;
  readonly #ink: Ink;
  #data: FeatureCollection = { type: 'FeatureCollection', features: [] };

  constructor(map: MapLibreMap, ink: Ink) {
    this.#map = map;
    this.#ink = ink;
  }

  /** Adds source and layers to the loaded style. Call it again after a style change. */
  attach(): void {
    if (!this.#map.hasImage(HATCH)) this.#map.addImage(HATCH, hatch(this.#ink), { pixelRatio: PIXEL_RATIO });
    this.#map.addSource(SOURCE, { type: 'geojson', data: this.#data, tolerance: 0.1 });
    for (const layer of fenceLayers(this.#ink)) {
      this.#map.addLayer(layer, layer.type === 'symbol' ? SLOTS.vehicles : SLOTS.trails);
    }
  }

  detach(): void {
    if (!this.#source()) return;
    for (const { id } of fenceLayers(this.#ink)) this.#map.removeLayer(id);
    this.#map.removeSource(SOURCE);
    if (this.#map.hasImage(HATCH)) this.#map.removeImage(HATCH);
  }

  draw(fences: readonly DrawnFence[]): void {
    this.#data = { type: 'FeatureCollection', features: fences.flatMap(featuresOf) };
    void this.#source()?.setData(this.#data);
  }

  /** The geofences at a point on the screen, the smallest first. */
  at(x: number, y: number): string[] {
    if (!this.#source()) return [];
    const layers = ['fence-fill', 'fence-line'];
    const found = this.#map.queryRenderedFeatures([x, y], { layers });
    const sizes = new Map(found.map(({ properties }) => [String(properties.fence), Number(properties.size)]));
    return [...sizes].toSorted(([, a], [, b]) => a - b).map(([id]) => id);
  }

  #source(): GeoJSONSource | undefined {
    return this.#map.style ? this.#map.getSource<GeoJSONSource>(SOURCE) : undefined;
  }
}

function featuresOf({
  id,
  name,
  color,
  isRestricted,
  isOn,
  shape,
  bufferM,
  isDraft,
}: DrawnFence): FeatureCollection['features'] {
  const [west, south, east, north] = boundsOf(shape);
  const shrunk = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const pixels = (meters: number): number => meters / METERS_A_PIXEL / Math.max(shrunk, 0.01);
  const across = Math.max(((east - west) / 360) * 512, 1e-9);
  const named = {
    name,
    color: isRestricted ? 'restricted' : color,
    nameFrom: Math.log2(NAME_FROM_PX / across),
  };
  const properties = { ...named, fence: id, on: isOn, draft: isDraft, size: across };
  if (shape.kind === 'corridor') {
    // Its width is drawn while its line is edited, too.
    const area = { ...properties, draft: false, buffer: bufferM > 0 ? pixels(2 * bufferM) : 0 };
    return [feature(area, corridorArea(shape)), feature(named, geometryOf(shape))];
  }
  return [
    feature({ ...properties, buffer: bufferM > 0 ? pixels(2 * bufferM) : 0 }, geometryOf(shape)),
    feature(named, { type: 'Point', coordinates: labelPointOf(shape) }),
  ];
}

const feature = (properties: Feature['properties'], geometry: Geometry): Feature => ({
  type: 'Feature',
  properties,
  geometry,
});

/** Diagonal lines in the color of restricted areas. */
function hatch(ink: Ink): ImageData {
  const size = 10;
  const context = canvas(size, size);
  context.strokeStyle = ink('--critical');
  context.globalAlpha = 0.5;
  context.lineWidth = 1.4;
  for (const shift of [-size, 0, size]) {
    context.beginPath();
    context.moveTo(shift, size);
    context.lineTo(shift + size, 0);
    context.stroke();
  }
  return pixelsOf(context);
}
