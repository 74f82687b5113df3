import { degrees, epochMs, fromKilometresPerHour, fromKnots } from '@milepost/units';
import fc from 'fast-check';
import type { PositionMessage } from '../protocol.ts';

/** Reports at the resolution of a protocol, for tests that encode and decode them. */
export interface Resolution {
  /** Steps of a degree. */
  readonly steps: number;
  readonly speed: 'km/h' | 'knots' | 'tenths of km/h';
  readonly stepMs?: number;
  readonly from?: number;
  readonly to?: number;
}

const SPEEDS = {
  'km/h': fromKilometresPerHour,
  knots: fromKnots,
  'tenths of km/h': (tenths: number) => fromKilometresPerHour(tenths / 10),
} as const;

const NOTHING_BESIDE = {
  kind: 'position',
  altitude: null,
  satellites: null,
  hdop: null,
  ignition: null,
  odometer: null,
  fuel: null,
  temperature: null,
  gsm: null,
  event: null,
  rfid: null,
  attributes: {},
} as const;

/** A fix with whole steps in every value; −0 and 0 are the same place. */
export function fixes({
  steps,
  speed,
  stepMs = 1000,
  from = Date.UTC(2010),
  to = Date.UTC(2079),
}: Resolution): fc.Arbitrary<PositionMessage> {
  const angle = (most: number) =>
    fc.integer({ min: -most * steps, max: most * steps }).map(value => degrees(value === 0 ? 0 : value / steps));
  return fc
    .record({
      time: fc.integer({ min: from / stepMs, max: to / stepMs }).map(value => epochMs(value * stepMs)),
      lat: angle(90),
      lon: angle(180),
      valid: fc.boolean(),
      speed: fc.integer({ min: 0, max: 250 }).map(SPEEDS[speed]),
      course: fc.integer({ min: 0, max: 359 }).map(degrees),
    })
    .map(fix => ({ ...NOTHING_BESIDE, ...fix }));
}

export const orNull = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });
