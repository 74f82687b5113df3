import { epochMs } from '@milepost/units';
import pino from 'pino';
import { expect, it, vi } from 'vitest';
import { receivedPosition } from '../../testing/stored-positions.ts';
import type { Listener } from '../bus/bus.ts';
import { LocalBus } from '../bus/local-bus.ts';
import { advance, type VehicleState } from '../fleet/vehicle-state.ts';
import type { Change } from './change.ts';
import { followOtherNodes, type OtherNodesParts } from './other-nodes.ts';

const log = pino({ level: 'silent' });
const VEHICLE = { id: 7, accountId: 3, imei: '490154203237518' };
const T = 1_790_000_000_000;

/** A node that hears what another one tells, and tells others. */
function hearing() {
  let hear: Listener = () => {};
  const published: { told: [number, VehicleState][] }[] = [];
  class Shared extends LocalBus {
    override readonly isShared = true;
    override listen(pattern: string, listener: Listener) {
      if (pattern === 'live.*') hear = listener;
      return super.listen(pattern, listener);
    }
    override publish(_: string, payload: string) {
      published.push(JSON.parse(payload));
    }
  }
  const states = new Map<number, VehicleState>();
  const heard: Change[] = [];
  const others = followOtherNodes({
    ...{ bus: new Shared(log), log, db: {}, settled: async () => {} },
    directory: { findById: () => VEHICLE },
    live: {
      of: (id: number) => states.get(id) ?? null,
      set: (_: number, id: number, to: VehicleState) => states.set(id, to),
    },
    heard: (changes: readonly Change[]) => heard.push(...changes),
  } as unknown as OtherNodesParts);
  const told = (after: VehicleState): void =>
    hear(JSON.stringify({ accountId: VEHICLE.accountId, told: [[VEHICLE.id, after]] }), 'another');
  const tell = (vehicleId: number, fixMs: number): void =>
    others.tell([{ vehicle: { ...VEHICLE, id: vehicleId }, before: null, after: stateAt(fixMs), positions: 1 }]);
  return { heard, told, tell, published, stop: () => others.stop() };
}

const stateAt = (fixMs: number): VehicleState => {
  const position = receivedPosition(fixMs);
  return advance(null, { receivedAt: position.receivedAt, positions: [position] }, () => {});
};

it('a sign of life that another node heard is no new position; one that it stored is', () => {
  const { heard, stop, told } = hearing();
  const first = stateAt(T);
  told(first);
  told({ ...first, heardAt: epochMs(first.heardAt + 60_000) });
  const [, alive] = heard;
  expect(alive?.after.heardAt).toBe(first.heardAt + 60_000);
  expect(alive?.after.newest).toBe(alive?.before?.newest);
  told(stateAt(T + 120_000));
  expect(heard.at(-1)?.after.newest).not.toBe(heard.at(-1)?.before?.newest);
  expect(heard.map(({ after }) => after.newest?.fixAt)).toEqual([T, T, T + 120_000]);
  stop();
});

it('tells the others at once, then gathers: each vehicle by its newest state, and nothing is left at the end', async () => {
  const { published, stop, tell } = hearing();
  const newest = () =>
    Object.fromEntries(published.flatMap(({ told }) => told.map(([id, { newest }]) => [id, newest?.fixAt])));
  tell(7, T);
  expect(published).toHaveLength(1);
  for (let second = 1; second <= 100; second++) {
    tell(7, T + second * 1000);
    tell(8, T + second * 1000);
  }
  await vi.waitFor(() => expect(newest()).toEqual({ 7: T + 100_000, 8: T + 100_000 }));
  expect(published.length).toBeLessThan(20);
  tell(7, T + 200_000);
  tell(7, T + 300_000);
  stop();
  expect(newest()[7]).toBe(T + 300_000);
  tell(7, T + 400_000);
  expect(newest()[7]).toBe(T + 400_000);
});
