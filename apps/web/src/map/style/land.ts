import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import { faded, type Palette } from './palette.ts';
import type { StreetSource } from './street-source.ts';

const WOODED = ['park', 'wood', 'grass', 'cemetery', 'scrub', 'pitch', 'playground', 'golf_course', 'forest', 'garden'];
const BUILT = ['hospital', 'school', 'university', 'college', 'industrial', 'aerodrome', 'runway', 'military'];

const is = (property: string, ...values: string[]): ExpressionSpecification => [
  'in',
  ['get', property],
  ['literal', values],
];
const isPolygon: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
const isLine: ExpressionSpecification = ['==', ['geometry-type'], 'LineString'];

/**
 * The world map: land, seas, lakes, towns. The background is land, so a map that is still loading doesn't look like
 * open water.
 */
export function landLayers(palette: Palette): LayerSpecification[] {
  const world = { source: 'world' };
  return [
    { id: 'ground', type: 'background', paint: { 'background-color': palette.land } },
    {
      ...world,
      id: 'sea',
      type: 'fill',
      'source-layer': 'ocean',
      // With antialiasing, seams between tiles would show as hairlines.
      paint: { 'fill-color': palette.water, 'fill-antialias': false },
    },
    {
      ...world,
      id: 'lakes',
      type: 'fill',
      'source-layer': 'water',
      filter: isPolygon,
      paint: { 'fill-color': palette.water },
    },
    {
      ...world,
      id: 'rivers',
      type: 'line',
      'source-layer': 'water',
      minzoom: 3,
      filter: isLine,
      paint: {
        'line-color': palette.water,
        'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.3, 6, 0.8, 9, 1.6, 12, 3],
      },
    },
  ];
}

/** Built-up areas seen from afar. They lie over a street map's land but under its ground details. */
export function urbanLayer(palette: Palette): LayerSpecification {
  return {
    id: 'urban',
    type: 'fill',
    source: 'world',
    'source-layer': 'landuse',
    filter: is('kind', 'urban_area'),
    paint: {
      'fill-color': palette.urban,
      'fill-antialias': false,
      // They fade out where streets begin. Otherwise an area with streets would stand out as a block inside them.
      'fill-opacity': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 6.5, 1, 8, 0.9, 10, 0],
    },
  };
}

/** The land of a street map, whose coastline is more accurate than the world map's. */
export const streetLand = (palette: Palette, { source, ...from }: StreetSource): LayerSpecification => ({
  id: `${source}-land`,
  type: 'fill',
  source,
  'source-layer': 'earth',
  minzoom: from.fromZoom,
  paint: { 'fill-color': palette.land, 'fill-antialias': false },
});

/** What covers the land of a street map: vegetation, buildings, water. */
export function streetGround(palette: Palette, { source, fromZoom }: StreetSource): LayerSpecification[] {
  const layer = { source, minzoom: fromZoom };
  const built = faded(palette, 'urban');
  return [
    {
      ...layer,
      id: `${source}-built`,
      type: 'fill',
      'source-layer': 'landuse',
      minzoom: 12,
      filter: is('kind', ...BUILT),
      paint: { 'fill-color': built, 'fill-opacity': 0.7, 'fill-antialias': false },
    },
    {
      ...layer,
      id: `${source}-woods`,
      type: 'fill',
      'source-layer': 'landuse',
      filter: is('kind', ...WOODED),
      paint: { 'fill-color': faded(palette, 'wood'), 'fill-antialias': false },
    },
    {
      ...layer,
      id: `${source}-water`,
      type: 'fill',
      'source-layer': 'water',
      filter: isPolygon,
      paint: { 'fill-color': palette.water },
    },
    {
      ...layer,
      id: `${source}-rivers`,
      type: 'line',
      'source-layer': 'water',
      filter: isLine,
      paint: {
        'line-color': palette.water,
        'line-width': ['interpolate', ['linear'], ['zoom'], 9, 0.6, 14, 3, 18, 8],
      },
    },
    {
      ...layer,
      id: `${source}-buildings`,
      type: 'fill',
      'source-layer': 'buildings',
      minzoom: 14,
      paint: { 'fill-color': built, 'fill-outline-color': faded(palette, 'case2') },
    },
  ];
}

export function boundaryLayers(palette: Palette): LayerSpecification[] {
  return [
    {
      id: 'boundary-region',
      type: 'line',
      source: 'world',
      'source-layer': 'boundaries',
      minzoom: 3,
      filter: is('kind', 'region'),
      paint: {
        'line-color': palette.admin,
        'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.4, 7, 0.9, 12, 1.3],
        'line-dasharray': [4, 2, 1, 2],
        'line-opacity': 0.75,
      },
    },
    {
      id: 'boundary-country',
      type: 'line',
      source: 'world',
      'source-layer': 'boundaries',
      filter: is('kind', 'country'),
      paint: {
        'line-color': palette.admin,
        'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.7, 8, 1.8],
      },
    },
  ];
}
