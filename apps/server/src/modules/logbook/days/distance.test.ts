import { openLog, withCheck } from '@milepost/eld';
import { expect, it } from 'vitest';
import { event } from '../../../../testing/logbook.ts';
import { distanceIn } from './distance.ts';

const AT = Date.parse('2026-02-03T14:00:00Z');
const HOUR = 3_600_000;
const KM = 1.609344;

/** Records with these miles, one an hour: null in personal use. Without states, driving. */
function recordsOf(miles: readonly (number | null)[], states: readonly ('OFF' | 'D' | 'ON')[] = []) {
  const log = openLog({ log: 'driver:12', home: { timeZone: 'America/Chicago', startOfDay: 0 } });
  for (const [i, read] of miles.entries()) {
    const one = { ...event(states[i] ?? 'D', AT + i * HOUR), miles: read, sequence: i };
    const id = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const refusal = log.append({
      ...{ action: 'record', id, log: 'driver:12', recordedAt: one.at, by: 'eld', device: 'vehicle:7' },
      event: withCheck(one, 'arivera', 'America/Chicago'),
    });
    if (refusal) throw new Error(refusal);
  }
  return log.records();
}

it('[R2.14] the distance of a day leaves out personal use, starts again with the engine, and is shared at midnight', () => {
  expect(distanceIn(recordsOf([10, 40, 100]), AT, AT + 24 * HOUR)).toBeCloseTo(90 * KM);
  expect(distanceIn(recordsOf([10, null, null, 60, 70]), AT, AT + 24 * HOUR)).toBeCloseTo(10 * KM);
  expect(distanceIn(recordsOf([100, 130, 20]), AT, AT + 24 * HOUR)).toBeCloseTo(50 * KM);
  expect(distanceIn(recordsOf([0, 60]), AT + HOUR / 4, AT + HOUR / 2)).toBeCloseTo(15 * KM);
  expect(distanceIn(recordsOf([null, null]), AT, AT + 24 * HOUR)).toBeNull();
});

it('[R2.14] the distance of a day has nothing that was driven while the driver was at rest', () => {
  // The odometer counts a mile by rounding, then another driver's trip.
  const records = recordsOf([10, 60, 61, 150, 180], ['D', 'OFF', 'ON', 'D', 'ON']);
  expect(distanceIn(records, AT, AT + 24 * HOUR)).toBeCloseTo(80 * KM);
  expect(distanceIn(records, AT + HOUR, AT + 3 * HOUR)).toBe(0);
});
