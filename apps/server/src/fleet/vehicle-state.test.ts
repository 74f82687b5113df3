import { FIX_DOUBTS } from '@milepost/contract';
import { degrees, metresPerSecond } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { receivedPosition } from '../../testing/stored-positions.ts';
import type { ReceivedPosition, StoredPosition } from '../tracks/stored-position.ts';
import { advance, doubtsFromBits, toLiveState, type VehicleState } from './vehicle-state.ts';

const T = Date.parse('2026-11-20T12:00:00Z');
const SECOND = 1000;

function run(messages: readonly (readonly ReceivedPosition[])[]) {
  const rows: StoredPosition[] = [];
  let state: VehicleState | null = null;
  for (const positions of messages) {
    state = advance(state, { receivedAt: positions[0]!.receivedAt, positions }, row => rows.push(row));
  }
  return { rows, state: state! };
}

/** Drives north at 14 m/s, with a fix every ten seconds. */
const drive = (count: number): ReceivedPosition[] =>
  Array.from({ length: count }, (_, n) =>
    receivedPosition(T + n * 10 * SECOND, {
      lat: degrees(41.9 + n * 0.00126),
      speed: metresPerSecond(14),
      ignition: true,
    }),
  );

it('[R3.03] returns the live state in the contract’s form', () => {
  const { state } = run(drive(3).map(position => [position]));
  expect(toLiveState(state)).toEqual({
    motion: 'moving',
    motionSince: '2026-11-20T12:00:00.000Z',
    fixAt: '2026-11-20T12:00:20.000Z',
    heardAt: '2026-11-20T12:00:20.800Z',
    gpsValid: true,
    intervalS: expect.any(Number),
    lat: degrees(41.9 + 2 * 0.00126),
    lon: -87.68,
  });
});

it('has no state for a vehicle that has never reported', () => {
  expect(toLiveState(null)).toMatchObject({ motion: null, fixAt: null, heardAt: null, lat: null });
});

it('marks a fix late when a newer one came in an earlier message, not when both came in one', () => {
  const [first, second, third] = drive(3) as [ReceivedPosition, ReceivedPosition, ReceivedPosition];
  expect(run([[third], [first], [second]]).rows.map(row => row.late)).toEqual([false, true, true]);
  expect(run([[third, first, second]]).rows.map(row => row.late)).toEqual([false, false, false]);
});

it('counts the positions of one message in the order of their fix times', () => {
  const positions = drive(6);
  const { motion, newest } = run([positions]).state;
  expect(run([positions.toReversed()]).state).toMatchObject({ motion, newest });
});

it.each([
  ['null-island', { lat: degrees(0), lon: degrees(0) }],
  ['out-of-range', { lat: degrees(91) }],
  ['impossible-speed', { lat: degrees(44) }],
] as const)('keeps and marks a fix of %s, and does not move the vehicle there', (doubt, place) => {
  const before = drive(3);
  const { rows, state } = run([before, [receivedPosition(T + 40 * SECOND, place)]]);
  expect(doubtsFromBits(rows.at(-1)!.doubts)).toEqual([doubt]);
  expect(state.newest?.fixAt).toBe(before[2]!.fixAt);
  expect(toLiveState(state)).toMatchObject({ lat: before[2]!.lat, gpsValid: false });
});

it('stores and marks a fix with impossible time, and counts later ones with the right time', () => {
  const [first, second] = drive(2) as [ReceivedPosition, ReceivedPosition];
  const ahead = { ...receivedPosition(T + 30 * 86_400_000), receivedAt: first.receivedAt };
  const { rows, state } = run([[first], [ahead], [second]]);
  expect(doubtsFromBits(rows[1]!.doubts)).toEqual(['impossible-time']);
  expect(rows[2]).toMatchObject({ late: false, doubts: 0 });
  expect(state.newest?.fixAt).toBe(second.fixAt);
});

it('has a bit for each doubt of the contract, in its order', () => {
  expect(FIX_DOUBTS.map((_, bit) => doubtsFromBits(1 << bit))).toEqual(FIX_DOUBTS.map(doubt => [doubt]));
});

it('[I6] is changed only by fixes newer than all before, doubted ones included; the rest of any stream changes nothing', () => {
  const positions = drive(12);
  const stream = fc.array(fc.integer({ min: 0, max: positions.length - 1 }), { minLength: 1, maxLength: 40 });
  const doubted = fc.uniqueArray(fc.integer({ min: 0, max: positions.length - 1 }));
  fc.assert(
    fc.property(stream, doubted, (order, nowhere) => {
      const message = (n: number): ReceivedPosition[] => {
        const position = positions[n] as ReceivedPosition;
        return [nowhere.includes(n) ? { ...position, lat: degrees(0), lon: degrees(0) } : position];
      };
      const all = run(order.map(message));
      const records = order.filter((n, i) => order.slice(0, i).every(earlier => earlier < n));
      const ordered = run(records.map(message));
      expect({ ...all.state, heardAt: 0 }).toEqual({ ...ordered.state, heardAt: 0 });
      const newest = Math.max(...records.filter(n => !nowhere.includes(n)));
      expect(all.state.newest?.fixAt).toBe(positions[newest]?.fixAt);
    }),
  );
});
