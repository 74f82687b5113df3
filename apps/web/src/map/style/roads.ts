import type { DataDrivenPropertyValueSpecification, ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { faded, type Palette } from './palette.ts';
import type { StreetSource } from './street-source.ts';

interface RoadClass {
  readonly id: string;
  /** `kind_detail` values of the Protomaps schema. */
  readonly details: readonly string[];
  readonly minzoom: number;
  readonly fill: keyof Palette;
  /** Null for minor roads, which are one color without a casing. */
  readonly casing: keyof Palette | null;
  /** Width in pixels at zooms 9, 12, 15 and 18. */
  readonly widths: readonly [number, number, number, number];
}

/** From least to most important. Later classes are drawn on top. */
const CLASSES: readonly RoadClass[] = [
  {
    id: 'path',
    details: ['path', 'pedestrian', 'footway', 'cycleway', 'steps', 'track'],
    minzoom: 14.5,
    fill: 'road3',
    casing: null,
    widths: [0, 0, 0.8, 3],
  },
  { id: 'service', details: ['service'], minzoom: 13.5, fill: 'road3', casing: null, widths: [0, 0, 1, 6] },
  {
    id: 'minor',
    details: ['residential', 'unclassified', 'living_street', 'road'],
    minzoom: 12,
    fill: 'road3',
    casing: null,
    widths: [0, 0.6, 2.4, 12],
  },
  {
    id: 'tertiary',
    details: ['tertiary', 'tertiary_link'],
    minzoom: 11,
    fill: 'road2',
    casing: 'case2',
    widths: [0.3, 1, 4, 16],
  },
  {
    id: 'secondary',
    details: ['secondary', 'secondary_link'],
    minzoom: 10,
    fill: 'road2',
    casing: 'case2',
    widths: [0.4, 1.5, 5, 20],
  },
  {
    id: 'primary',
    details: ['primary', 'primary_link', 'trunk_link', 'motorway_link'],
    minzoom: 9.5,
    fill: 'road',
    casing: 'case2',
    widths: [0.6, 2, 6, 24],
  },
  { id: 'trunk', details: ['trunk'], minzoom: 9, fill: 'road', casing: 'case', widths: [1, 2.6, 7, 28] },
  { id: 'motorway', details: ['motorway'], minzoom: 9, fill: 'road', casing: 'case', widths: [1.4, 3.2, 8, 32] },
];

const CASING_PX = 0.9;

const width = (widths: readonly number[], extra = 0): DataDrivenPropertyValueSpecification<number> =>
  [
    'interpolate',
    ['exponential', 1.4],
    ['zoom'],
    ...[9, 12, 15, 18].flatMap((zoom, i) => [zoom, (widths[i] ?? 0) + extra]),
  ] as unknown as ExpressionSpecification;

const TUNNEL_OPACITY: ExpressionSpecification = ['case', ['has', 'is_tunnel'], 0.45, 1];

/** A road's class from its `kind_detail`; in files without that, from its `kind`. */
const DETAIL: ExpressionSpecification = [
  'coalesce',
  ['get', 'kind_detail'],
  [
    'match',
    ['get', 'kind'],
    'highway',
    'motorway',
    'major_road',
    'secondary',
    'minor_road',
    'residential',
    'path',
    'path',
    '',
  ],
];

/**
 * Streets, where the map has them. Roads stay uncolored: motorways are light with a gray casing, minor roads one shade.
 */
export function roadLayers(palette: Palette, streets: StreetSource): LayerSpecification[] {
  return [
    rail(palette, streets),
    ...CLASSES.flatMap(one => casing(one, palette, streets)),
    ...CLASSES.map(one => fill(one, palette, streets)),
  ];
}

function rail(palette: Palette, { source }: StreetSource): LayerSpecification {
  return {
    id: `${source}-rail`,
    type: 'line',
    source,
    'source-layer': 'roads',
    minzoom: 12,
    filter: ['==', ['get', 'kind'], 'rail'],
    paint: {
      'line-color': faded(palette, 'case2'),
      'line-width': ['interpolate', ['linear'], ['zoom'], 12, 0.6, 16, 1.6],
      'line-opacity': TUNNEL_OPACITY,
    },
  };
}

const roads = ({ id, details, minzoom }: RoadClass, { source, early }: StreetSource, part: string) => ({
  id: `${source}-${id}${part}`,
  type: 'line' as const,
  source,
  'source-layer': 'roads',
  minzoom: minzoom - early,
  filter: ['in', DETAIL, ['literal', [...details]]] as ExpressionSpecification,
  layout: { 'line-join': 'round' as const, 'line-cap': 'round' as const },
});

function casing(road: RoadClass, palette: Palette, streets: StreetSource): LayerSpecification[] {
  if (!road.casing) return [];
  return [
    {
      ...roads(road, streets, '-casing'),
      paint: {
        'line-color': faded(palette, road.casing),
        'line-width': width(road.widths, 2 * CASING_PX),
        'line-opacity': TUNNEL_OPACITY,
      },
    },
  ];
}

function fill(road: RoadClass, palette: Palette, streets: StreetSource): LayerSpecification {
  return {
    ...roads(road, streets, ''),
    paint: {
      'line-color': faded(palette, road.fill),
      'line-width': width(road.widths),
      'line-opacity': TUNNEL_OPACITY,
    },
  };
}

/**
 * Interstates where there are no streets. They are drawn by hand between towns, so they show only at zooms where an
 * error of a few kilometers isn't visible.
 */
export function interstateLayers(palette: Palette): LayerSpecification[] {
  const base = {
    type: 'line' as const,
    source: 'interstates',
    minzoom: 4,
    maxzoom: 9.5,
    layout: { 'line-join': 'round' as const, 'line-cap': 'round' as const },
  };
  const opacity: ExpressionSpecification = ['interpolate', ['linear'], ['zoom'], 4, 0.4, 5, 1, 8.5, 1, 9.5, 0];
  return [
    {
      ...base,
      id: 'interstate-casing',
      paint: {
        'line-color': palette.case,
        'line-width': ['interpolate', ['linear'], ['zoom'], 4, 1.2, 6, 2.8, 9, 4.4],
        'line-opacity': opacity,
      },
    },
    {
      ...base,
      id: 'interstate',
      paint: {
        'line-color': palette.road,
        'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 6, 1.4, 9, 2.8],
        'line-opacity': opacity,
      },
    },
  ];
}
