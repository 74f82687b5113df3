import type {
  ExpressionSpecification,
  LayerSpecification,
  VariableAnchorOffsetCollectionSpecification,
} from 'maplibre-gl';
import type { Ink } from '../images/ink.ts';
import { CURRENT_PLATE_IMAGE, PLATE_IMAGE } from '../images/map-images.ts';
import { FONT } from '../style/fonts.ts';

export const VEHICLE_SOURCE = 'vehicles';

/** Layers that respond to clicks, topmost first. */
export const PICKABLE = [
  'vehicle-current-plate',
  'vehicle-current',
  'vehicle-markers',
  'vehicle-clusters',
  'vehicle-plates',
] as const;
/** Shown or hidden as a whole, depending on the zoom and the number of vehicles. */
export const PLATES_LAYER = 'vehicle-plates';

const is = (kind: string): ExpressionSpecification => ['==', ['get', 'kind'], kind];
const isCurrent: ExpressionSpecification = ['==', ['get', 'current'], true];
const isOther: ExpressionSpecification = ['all', is('vehicle'), ['!=', ['get', 'current'], true]];

/** Markers are never hidden by what is near them, and a place name gives way to a vehicle. */
const ALWAYS = { 'icon-allow-overlap': true, 'icon-ignore-placement': false, 'icon-padding': 0 } as const;

const marker = {
  'icon-image': ['get', 'image'] as ExpressionSpecification,
  'icon-rotate': ['get', 'turn'] as ExpressionSpecification,
  'icon-rotation-alignment': 'map' as const,
  ...ALWAYS,
};

const plate = {
  'text-field': [
    'case',
    ['has', 'age'],
    [
      'format',
      ['get', 'label'],
      {},
      '  ',
      {},
      ['get', 'age'],
      { 'font-scale': 0.92, 'text-color': ['get', 'ageColor'] },
    ],
    ['get', 'label'],
  ] as ExpressionSpecification,
  'text-font': FONT.bold,
  'text-size': 11,
  'text-max-width': 100,
  'text-letter-spacing': 0.03,
  'icon-text-fit': 'both' as const,
  // Overpass sits slightly high, so the plate needs more padding above than below.
  'icon-text-fit-padding': [3.5, 5, 1.5, 5] as [number, number, number, number],
  'text-variable-anchor-offset': [
    'left',
    [1.75, 0.05],
    'right',
    [-1.75, 0.05],
    'bottom',
    [0, -1.6],
    'top',
    [0, 1.75],
  ] as VariableAnchorOffsetCollectionSpecification,
  'text-padding': 3,
  'icon-padding': 2,
};

/** All layers except the current vehicle's. */
export const OTHERS = [PLATES_LAYER, 'vehicle-clusters', 'vehicle-markers'] as const;
const DIMMED = 0.4;

/** Opacity of the other vehicles. They are dimmed while there is a current vehicle, except for selected ones. */
export const othersOpacity = (hasCurrent: boolean): number | ExpressionSpecification =>
  hasCurrent ? ['case', ['==', ['get', 'selected'], true], 1, DIMMED] : 1;

/** Layers from bottom to top. Symbols on top are placed first, so plates give way to markers and clusters. */
export function vehicleLayers(ink: Ink): LayerSpecification[] {
  const source = VEHICLE_SOURCE;
  return [
    {
      id: 'vehicle-selected-ring',
      type: 'circle',
      source,
      filter: ['==', ['get', 'selected'], true],
      paint: {
        'circle-radius': 14,
        'circle-opacity': 0,
        'circle-stroke-color': ink('--accent'),
        'circle-stroke-width': 1.5,
        'circle-stroke-opacity': 0.8,
      },
    },
    {
      id: 'vehicle-current-ring',
      type: 'circle',
      source,
      filter: isCurrent,
      paint: {
        'circle-radius': 19,
        'circle-color': ink('--brand2'),
        'circle-opacity': 0.2,
        'circle-stroke-color': ink('--brand2'),
        'circle-stroke-width': 2,
      },
    },
    {
      id: PLATES_LAYER,
      type: 'symbol',
      source,
      filter: isOther,
      layout: { ...plate, 'icon-image': PLATE_IMAGE },
      paint: { 'text-color': ink('--ink') },
    },
    {
      id: 'vehicle-clusters',
      type: 'symbol',
      source,
      filter: is('cluster'),
      layout: {
        'icon-image': ['get', 'image'],
        ...ALWAYS,
        'text-field': ['get', 'label'],
        'text-font': FONT.bold,
        'text-size': 13,
        'text-offset': [0, 0.04],
        'text-allow-overlap': true,
      },
      paint: { 'text-color': ink('--ink') },
    },
    { id: 'vehicle-markers', type: 'symbol', source, filter: isOther, layout: marker },
    { id: 'vehicle-current', type: 'symbol', source, filter: isCurrent, layout: { ...marker, 'icon-size': 1.25 } },
    {
      id: 'vehicle-current-plate',
      type: 'symbol',
      source,
      filter: isCurrent,
      layout: {
        ...plate,
        'icon-image': CURRENT_PLATE_IMAGE,
        'text-variable-anchor-offset': ['left', [2.4, 0.05], 'right', [-2.4, 0.05]],
        'text-allow-overlap': true,
        'icon-allow-overlap': true,
      },
      paint: { 'text-color': ink('--surface') },
    },
  ];
}
