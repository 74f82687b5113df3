import type { Feature } from 'geojson';
import type { ExpressionSpecification, LayerSpecification } from 'maplibre-gl';
import type { Ink } from '../../map/images/ink.ts';
import type { Coloring, Measured } from './coloring.ts';
import type { Past, Piece } from './past.ts';

/** How a replay's tracks look on the map: their pieces, and the reports that came late or are in doubt. */

export const TRACKS = 'replay-tracks';
/** Source with lines from the start of each current piece to the vehicle. */
export const HEADS = 'replay-heads';
const LATE_FROM_ZOOM = 14;
const DOUBTED_FROM_ZOOM = 9;

export interface ReplayedVehicle extends Measured {
  readonly past: Past;
  readonly name: string;
  readonly color: string;
}

export interface Drawn {
  readonly vehicle: ReplayedVehicle;
  readonly pieces: readonly Piece[];
  readonly startsMs: readonly number[];
  /** ID of its first piece on the map. */
  readonly firstId: number;
  /** Numbers of its pieces that the map shows as past, and of those as long ago. */
  past: number;
  ghost: number;
}

const isPast = (yes: number, no: number): ExpressionSpecification => [
  'case',
  ['boolean', ['feature-state', 'past'], false],
  yes,
  no,
];

/** Of a line behind a vehicle, which is faint where it is long ago. */
const behind = (fresh: number, ghost: number): ExpressionSpecification => [
  'case',
  ['boolean', ['feature-state', 'ghost'], false],
  ghost,
  ['boolean', ['feature-state', 'past'], false],
  fresh,
  0,
];

/** The color of the piece's class, or else the vehicle's own. */
export const colorOf = ({ vehicle }: Drawn, { colorClass }: Piece, coloring: Coloring | null): string =>
  coloring?.classes[colorClass]?.token ?? vehicle.color;

export function featuresOf(drawn: Drawn, ink: Ink, coloring: Coloring | null): Feature[] {
  const color = ink(drawn.vehicle.color);
  const { doubtedLat, doubtedLon, lat, late, lon, timeMs } = drawn.vehicle.past.track;
  const firstPoint = drawn.firstId + drawn.pieces.length;
  return [
    ...drawn.pieces.map(
      (piece, i): Feature => ({
        type: 'Feature',
        id: drawn.firstId + i,
        properties: { kind: piece.kind, color: ink(colorOf(drawn, piece, coloring)) },
        geometry: { type: 'LineString', coordinates: [...piece.line] },
      }),
    ),
    ...Array.from(timeMs.keys())
      .filter(i => late[i] === 1)
      .map(
        (i): Feature => ({
          type: 'Feature',
          id: firstPoint + i,
          properties: { kind: 'late', color },
          geometry: { type: 'Point', coordinates: [lon[i] as number, lat[i] as number] },
        }),
      ),
    ...Array.from(
      doubtedLat,
      (latitude, i): Feature => ({
        type: 'Feature',
        id: firstPoint + timeMs.length + i,
        properties: { kind: 'doubted', color },
        geometry: { type: 'Point', coordinates: [doubtedLon[i] as number, latitude] },
      }),
    ),
  ];
}

export function trackLayers(ink: Ink): LayerSpecification[] {
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const;
  const isTrack: ExpressionSpecification = ['==', ['get', 'kind'], 'track'];
  const color: ExpressionSpecification = ['get', 'color'];
  return [
    {
      id: 'replay-gaps',
      type: 'line',
      source: TRACKS,
      filter: ['==', ['get', 'kind'], 'gap'],
      paint: { 'line-color': color, 'line-width': 2, 'line-dasharray': [3, 2.5], 'line-opacity': isPast(0.8, 0.35) },
    },
    {
      id: 'replay-ahead',
      type: 'line',
      source: TRACKS,
      filter: isTrack,
      layout: round,
      paint: { 'line-color': color, 'line-width': 2.4, 'line-dasharray': [0.1, 2.2], 'line-opacity': isPast(0, 0.5) },
    },
    {
      id: 'replay-halo',
      type: 'line',
      source: TRACKS,
      filter: isTrack,
      layout: round,
      paint: { 'line-color': ink('--m-halo'), 'line-width': 6.5, 'line-opacity': behind(0.85, 0.3) },
    },
    {
      id: 'replay-head-halo',
      type: 'line',
      source: HEADS,
      layout: round,
      paint: { 'line-color': ink('--m-halo'), 'line-width': 6.5, 'line-opacity': 0.85 },
    },
    {
      id: 'replay-past',
      type: 'line',
      source: TRACKS,
      filter: isTrack,
      layout: round,
      paint: { 'line-color': color, 'line-width': 3.4, 'line-opacity': behind(1, 0.28) },
    },
    {
      id: 'replay-head',
      type: 'line',
      source: HEADS,
      layout: round,
      paint: { 'line-color': color, 'line-width': 3.4 },
    },
    {
      id: 'replay-late',
      type: 'circle',
      source: TRACKS,
      minzoom: LATE_FROM_ZOOM,
      filter: ['==', ['get', 'kind'], 'late'],
      paint: {
        'circle-radius': 3.2,
        'circle-color': ink('--m-halo'),
        'circle-stroke-color': color,
        'circle-stroke-width': 1.5,
      },
    },
    {
      id: 'replay-doubted',
      type: 'circle',
      source: TRACKS,
      minzoom: DOUBTED_FROM_ZOOM,
      filter: ['==', ['get', 'kind'], 'doubted'],
      paint: {
        'circle-radius': 3.4,
        'circle-color': ink('--critical'),
        'circle-stroke-color': ink('--m-halo'),
        'circle-stroke-width': 2,
      },
    },
  ];
}
