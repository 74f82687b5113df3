import type { ExpressionSpecification, LayerSpecification, SymbolLayerSpecification } from 'maplibre-gl';
import { FONT } from './fonts.ts';
import { faded, type Palette } from './palette.ts';
import type { StreetSource } from './street-source.ts';

/** Image of a road shield, drawn in `images/` and stretched to fit its number. */
export const SHIELD_IMAGE = 'shield';

const NAME: ExpressionSpecification = ['coalesce', ['get', 'name:en'], ['get', 'name']];
/**
 * Each place in the data has a minimum zoom. We show it slightly earlier, since our map is wider than its makers
 * assumed.
 */
const fromItsZoom = (early: number): ExpressionSpecification => ['<=', ['get', 'min_zoom'], ['+', ['zoom'], early]];

const halo = (palette: Palette, color: keyof Palette = 'label'): SymbolLayerSpecification['paint'] => ({
  'text-color': palette[color],
  'text-halo-color': palette.halo,
  'text-halo-width': 1.3,
});

/** Neighborhoods and suburbs. Only a street map has them. */
export function quarterLabels(palette: Palette, { source }: StreetSource): LayerSpecification[] {
  const place = { type: 'symbol' as const, source, 'source-layer': 'places' };
  return [
    {
      ...place,
      id: `${source}-label-neighbourhood`,
      minzoom: 12.5,
      filter: ['==', ['get', 'kind'], 'neighbourhood'],
      layout: {
        'text-field': NAME,
        'text-font': FONT.regular,
        'text-size': ['interpolate', ['linear'], ['zoom'], 12.5, 10.5, 16, 12.5],
        'text-letter-spacing': 0.08,
        'text-max-width': 7,
        'text-padding': 12,
      },
      paint: { ...halo(palette), 'text-opacity': 0.85 },
    },
    {
      ...place,
      id: `${source}-label-suburb`,
      minzoom: 10,
      filter: ['all', ['==', ['get', 'kind'], 'locality'], ['!=', NAME, 'Chicago'], ['!=', NAME, 'Montevideo']],
      layout: { 'text-field': NAME, 'text-font': FONT.semibold, 'text-size': 12, 'text-padding': 8 },
      paint: halo(palette),
    },
  ];
}

/** Place names in three ranks, 10.5 to 15 px, at every zoom. Villages have a separate file. */
export function placeLabels(palette: Palette): LayerSpecification[] {
  const place = { type: 'symbol' as const, 'source-layer': 'places' };
  return [
    {
      ...place,
      id: 'label-village',
      source: 'towns',
      minzoom: 8.5,
      filter: fromItsZoom(1),
      layout: {
        'text-field': NAME,
        'text-font': FONT.regular,
        'text-size': ['interpolate', ['linear'], ['zoom'], 9, 10.5, 13, 12.5],
        'symbol-sort-key': ['-', ['get', 'population_rank']],
        'text-max-width': 8,
        'text-padding': 6,
      },
      paint: halo(palette),
    },
    {
      ...place,
      id: 'label-region',
      source: 'world',
      minzoom: 3.5,
      maxzoom: 8.5,
      filter: ['all', ['==', ['get', 'kind'], 'region'], fromItsZoom(0.5)],
      layout: {
        'text-field': ['step', ['zoom'], ['coalesce', ['get', 'ref:en'], NAME], 4.5, NAME],
        'text-font': FONT.regular,
        'text-size': ['interpolate', ['linear'], ['zoom'], 3.5, 10.5, 7, 13],
        'text-letter-spacing': 0.14,
        'text-max-width': 7,
      },
      paint: { ...halo(palette), 'text-opacity': 0.8 },
    },
    {
      ...place,
      id: 'label-locality',
      source: 'world',
      filter: ['all', ['==', ['get', 'kind'], 'locality'], fromItsZoom(0.3)],
      layout: {
        'text-field': NAME,
        'text-font': [
          'case',
          ['>=', ['get', 'population_rank'], 11],
          ['literal', FONT.semibold],
          ['literal', FONT.regular],
        ],
        'text-size': [
          'interpolate',
          ['linear'],
          ['zoom'],
          3,
          ['step', ['get', 'population_rank'], 10.5, 12, 11.5, 13, 12.5],
          9,
          ['step', ['get', 'population_rank'], 11, 9, 12.5, 12, 15],
        ],
        // Where labels collide, the larger town wins: MapLibre places the smallest key first.
        'symbol-sort-key': ['-', ['get', 'population_rank']],
        'text-max-width': 8,
        'text-padding': 5,
      },
      paint: halo(palette),
    },
    {
      ...place,
      id: 'label-country',
      source: 'world',
      maxzoom: 7,
      filter: ['all', ['==', ['get', 'kind'], 'country'], fromItsZoom(0.5)],
      layout: {
        'text-field': NAME,
        'text-font': FONT.semibold,
        'text-size': ['interpolate', ['linear'], ['zoom'], 1, 10.5, 5, 15],
        'text-max-width': 7,
      },
      paint: halo(palette),
    },
  ];
}

export function waterLabels(palette: Palette): LayerSpecification[] {
  const water = { type: 'symbol' as const, source: 'world', 'source-layer': 'water' };
  return [
    {
      ...water,
      id: 'label-river',
      minzoom: 7,
      filter: ['all', ['==', ['geometry-type'], 'LineString'], ['has', 'name']],
      layout: {
        'symbol-placement': 'line',
        'symbol-spacing': 420,
        'text-field': NAME,
        'text-font': FONT.italic,
        'text-size': 10.5,
        'text-letter-spacing': 0.06,
      },
      paint: halo(palette, 'water-ink'),
    },
    {
      ...water,
      id: 'label-water',
      filter: ['all', ['==', ['geometry-type'], 'Point'], ['has', 'name'], fromItsZoom(0.5)],
      layout: {
        'text-field': NAME,
        'text-font': FONT.italic,
        'text-size': ['interpolate', ['linear'], ['zoom'], 2, 10.5, 7, 13],
        'text-letter-spacing': 0.12,
        'text-max-width': 6,
      },
      paint: { 'text-color': palette['water-ink'], 'text-halo-color': palette.water, 'text-halo-width': 1 },
    },
  ];
}

export function roadLabels(palette: Palette, { source, early }: StreetSource): LayerSpecification[] {
  const streets = { type: 'symbol' as const, source, 'source-layer': 'roads' };
  const along = { 'symbol-placement': 'line' as const, 'text-field': NAME, 'text-rotation-alignment': 'map' as const };
  const paint = { ...halo(palette), 'text-color': faded(palette, 'label') };
  return [
    {
      ...streets,
      id: `${source}-label-street`,
      minzoom: 14,
      filter: ['==', ['get', 'kind'], 'minor_road'],
      layout: { ...along, 'symbol-spacing': 320, 'text-font': FONT.regular, 'text-size': 10.5 },
      paint,
    },
    {
      ...streets,
      id: `${source}-label-road`,
      minzoom: 12,
      filter: ['in', ['get', 'kind'], ['literal', ['major_road', 'highway']]],
      layout: {
        ...along,
        'symbol-spacing': 380,
        'text-font': FONT.regular,
        'text-size': ['interpolate', ['linear'], ['zoom'], 12, 10.5, 16, 12.5],
        'text-padding': 8,
      },
      paint,
    },
    {
      ...shield(`${source}-shield`, palette),
      ...{ source, 'source-layer': 'roads', minzoom: 10 - early, filter: ['has', 'shield_text'] },
    },
  ];
}

export const interstateShields = (palette: Palette): LayerSpecification => ({
  ...shield('shield-interstate', palette),
  ...{ source: 'interstates', minzoom: 4.5, maxzoom: 9.5 },
});

const shield = (id: string, palette: Palette): SymbolLayerSpecification => ({
  id,
  type: 'symbol',
  source: '',
  layout: {
    'symbol-placement': 'line',
    'symbol-spacing': 300,
    'icon-image': SHIELD_IMAGE,
    'icon-text-fit': 'both',
    'icon-text-fit-padding': [2, 4, 1, 4],
    'icon-rotation-alignment': 'viewport',
    'text-rotation-alignment': 'viewport',
    'text-field': ['get', 'shield_text'],
    'text-font': FONT.bold,
    'text-size': 9.5,
    'icon-padding': 12,
  },
  paint: { 'text-color': palette.halo },
});
