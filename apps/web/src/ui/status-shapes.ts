import type { Motion, VehicleStatus } from '@milepost/geo';

/** Every status has its own shape. An outdated vehicle keeps its last shape, hollow and dashed. */
export type ShapeName = Exclude<VehicleStatus, 'outdated'> | 'outdated-moving' | 'outdated-idling';

/**
 * One path in a box of 16 × 16. `ground` draws it in the color behind the shape, like the question mark on its diamond.
 */
export interface ShapePart {
  readonly d: string;
  readonly ground?: true;
  readonly fillRule?: 'evenodd';
  readonly stroke?: { readonly width: number; readonly dash?: readonly [number, number]; readonly round?: true };
}

const DASHED = { width: 1.6, dash: [2.4, 1.7] } as const;

export const SHAPES: Readonly<Record<ShapeName, readonly ShapePart[]>> = {
  moving: [{ d: 'M8 .8 14 14.6 8 11.4 2 14.6Z' }],
  idling: [{ d: 'M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1ZM5.2 4.6v6.8h2V4.6ZM8.8 4.6v6.8h2V4.6Z', fillRule: 'evenodd' }],
  stopped: [
    {
      d: 'M4 2.2h8A1.8 1.8 0 0 1 13.8 4v8a1.8 1.8 0 0 1-1.8 1.8H4A1.8 1.8 0 0 1 2.2 12V4A1.8 1.8 0 0 1 4 2.2Z',
    },
  ],
  'outdated-moving': [{ d: 'M8 2.2 13 13.6 8 10.9 3 13.6Z', stroke: DASHED }],
  'outdated-idling': [
    { d: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2Z', stroke: DASHED },
    { d: 'M6.4 5.6v4.8M9.6 5.6v4.8', stroke: { width: 1.6 } },
  ],
  'no-gps': [
    { d: 'M8 .6 15.4 8 8 15.4.6 8Z' },
    { d: 'M6.2 6.4c0-2.4 3.7-2.2 3.6 0 0 1.3-1.8 1.3-1.8 2.9', ground: true, stroke: { width: 1.5 } },
    { d: 'M8 10.45a.95.95 0 1 1 0 1.9.95.95 0 0 1 0-1.9Z', ground: true },
  ],
  offline: [{ d: 'M3.2 3.2l9.6 9.6M12.8 3.2 3.2 12.8', stroke: { width: 2.6, round: true } }],
  private: [
    { d: 'M4.8 7V5a3.2 3.2 0 0 1 6.4 0v2', stroke: { width: 1.8 } },
    {
      d: 'M4.4 6.8h7.2a1.6 1.6 0 0 1 1.6 1.6V13a1.6 1.6 0 0 1-1.6 1.6H4.4A1.6 1.6 0 0 1 2.8 13V8.4a1.6 1.6 0 0 1 1.6-1.6Z',
    },
  ],
  'no-data': [{ d: 'M8 2.4a5.6 5.6 0 1 1 0 11.2A5.6 5.6 0 0 1 8 2.4Z', stroke: { width: 2 } }],
};

/** Whether the shape points in the vehicle's direction. */
export const isDirectional = (shape: ShapeName): boolean => shape === 'moving' || shape === 'outdated-moving';

export function shapeOf(status: VehicleStatus, lastMotion?: Motion): ShapeName {
  if (status !== 'outdated') return status;
  return lastMotion === 'idling' ? 'outdated-idling' : 'outdated-moving';
}

/** The color token of a shape. An outdated vehicle keeps its last color. */
export function shapeToken(shape: ShapeName): string {
  const name = shape.replace('outdated-', '').replace('-', '');
  return `--st-${name}`;
}
