import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Palette } from './palette.ts';

const WOODED = ['park', 'wood', 'grass', 'cemetery', 'scrub', 'pitch', 'playground', 'golf_course', 'forest', 'garden'];
const BUILT = ['hospital', 'school', 'university', 'college', 'industrial', 'aerodrome', 'runway', 'military'];

const is = (property: string, ...values: string[]): ExpressionSpecification => [
  'in',
  ['get', property],
  ['literal', values],
];
const isPolygon: ExpressionSpecification = ['==', ['geometry-type'], 'Polygon'];
const isLine: ExpressionSpecification = ['==', ['geometry-type'], 'LineString'];

/** Land, water and what grows or stands on it. The sea is no polygon in the data: it is the background. */
export function landLayers(palette: Palette): LayerSpecification[] {
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': palette.water } },
    {
      id: 'land',
      type: 'fill',
      source: 'world',
      'source-layer': 'earth',
      // Seams of neighbouring tiles would show as hairlines of the sea.
      paint: { 'fill-color': palette.land, 'fill-antialias': false },
    },
    {
      id: 'lakes',
      type: 'fill',
      source: 'world',
      'source-layer': 'water',
      filter: isPolygon,
      paint: { 'fill-color': palette.water },
    },
    {
      id: 'rivers',
      type: 'line',
      source: 'world',
      'source-layer': 'water',
      minzoom: 3,
      filter: isLine,
      paint: {
        'line-color': palette.water,
        'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.3, 6, 0.8, 9, 1.6, 12, 3],
      },
    },
    {
      id: 'urban',
      type: 'fill',
      source: 'world',
      'source-layer': 'landuse',
      filter: is('kind', 'urban_area'),
      paint: {
        'fill-color': palette.urban,
        'fill-antialias': false,
        // Gone where the streets begin: the area with streets would stand out as a block in the middle of it.
        'fill-opacity': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 6.5, 1, 8, 0.9, 10, 0],
      },
    },
    {
      id: 'city-land',
      type: 'fill',
      source: 'cities',
      'source-layer': 'earth',
      paint: { 'fill-color': palette.land, 'fill-antialias': false },
    },
    {
      id: 'city-built',
      type: 'fill',
      source: 'cities',
      'source-layer': 'landuse',
      minzoom: 12,
      filter: is('kind', ...BUILT),
      paint: { 'fill-color': palette.urban, 'fill-opacity': 0.7, 'fill-antialias': false },
    },
    {
      id: 'city-woods',
      type: 'fill',
      source: 'cities',
      'source-layer': 'landuse',
      filter: is('kind', ...WOODED),
      paint: { 'fill-color': palette.wood, 'fill-antialias': false },
    },
    {
      id: 'city-water',
      type: 'fill',
      source: 'cities',
      'source-layer': 'water',
      filter: isPolygon,
      paint: { 'fill-color': palette.water },
    },
    {
      id: 'city-rivers',
      type: 'line',
      source: 'cities',
      'source-layer': 'water',
      filter: isLine,
      paint: {
        'line-color': palette.water,
        'line-width': ['interpolate', ['linear'], ['zoom'], 9, 0.6, 14, 3, 18, 8],
      },
    },
    {
      id: 'buildings',
      type: 'fill',
      source: 'cities',
      'source-layer': 'buildings',
      minzoom: 14,
      paint: { 'fill-color': palette.urban, 'fill-outline-color': palette.case2 },
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
