import type { LiveState, PositionReport, Vehicle } from '@milepost/contract';
import { agedBy } from '@milepost/geo';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { PositionStore } from './position-store.ts';
import { movingState, report, vehicle } from './testing/fleet.ts';

const START = Date.parse('2026-11-19T19:00:00Z');
const A = '356307042441013';
const B = '356307042441021';

function storeAt(nowMs = START): PositionStore {
  return new PositionStore(() => nowMs);
}

describe('PositionStore', () => {
  it('[R7.33] appends live position reports to the new positions, and a snapshot is none', () => {
    const store = storeAt();
    store.applyVehicles([vehicle(A)]);
    store.applySnapshot([report(A, START - 60_000)]);
    store.applyBatch({ reports: [report(A, START - 10_000), report(A, START)], states: [] });
    expect(store.newPositions.map(({ reportTime }) => reportTime)).toEqual(['18:59:50', '19:00:00']);
  });

  it('[R4.12] clears the new positions on disconnect and keeps the last picture', () => {
    const store = storeAt();
    store.applyVehicles([vehicle(A)]);
    store.applyBatch({ reports: [report(A, START)], states: [] });
    store.clearNewPositions();
    expect(store.newPositions).toEqual([]);
    expect(store.get(A)?.place).toEqual({ lat: 41.88, lon: -87.63 });
  });

  it('never goes back in time: an older report changes nothing', () => {
    const store = storeAt();
    store.applyVehicles([vehicle(A)]);
    store.applyBatch({ reports: [report(A, START, { speed: 50 })], states: [] });
    const entry = store.get(A);
    store.applySnapshot([report(A, START - 1000, { speed: 10, lat: 40 })]);
    expect(store.get(A)).toBe(entry);
  });

  it('shows where the vehicle was for sure when the newest fix is not valid', () => {
    const store = storeAt();
    store.applyVehicles([vehicle(A, { live: movingState(START - 10_000) })]);
    store.applyBatch({ reports: [report(A, START, { gpsStatus: 'V', lat: 0, lon: 0 })], states: [] });
    expect(store.get(A)?.place).toEqual({ lat: 41.88, lon: -87.63 });
    expect(store.get(A)?.now.status).toBe('no-gps');
  });

  it('is not led astray by a fix from the future', () => {
    const store = storeAt();
    store.applyVehicles([vehicle(A)]);
    const future = report(A, START + 400 * 86_400_000, { receivedAt: new Date(START).toISOString() });
    store.applyBatch({ reports: [future, report(A, START)], states: [] });
    expect(store.get(A)?.fixMs).toBe(START);
  });

  it('keeps what comes before the list of vehicles and forgets what the list no longer names', () => {
    const store = storeAt();
    store.applyBatch({ reports: [report(B, START)], states: [[B, movingState(START)]] });
    expect(store.entries.size).toBe(0);
    store.applyVehicles([vehicle(A), vehicle(B)]);
    expect(store.get(B)?.now.status).toBe('moving');
    store.applyVehicles([vehicle(A)]);
    expect([...store.entries.keys()]).toEqual([A]);
  });

  it('ages a silent vehicle to outdated and then offline, and tells only who watches it', () => {
    let now = START;
    const store = new PositionStore(() => now);
    store.applyVehicles([vehicle(A, { live: movingState(START) }), vehicle(B)]);
    const [onA, onB] = [vi.fn(), vi.fn()];
    store.subscribeTo(A, onA);
    store.subscribeTo(B, onB);
    now = START + 5000;
    store.reconsider(store.entries.keys());
    expect(onA).not.toHaveBeenCalled();
    now = START + 11 * 60_000;
    store.reconsider(store.entries.keys());
    expect(store.get(A)?.now.status).toBe('outdated');
    now = START + 25 * 3_600_000;
    store.reconsider(store.entries.keys());
    expect(store.get(A)?.now.status).toBe('offline');
    expect(onA).toHaveBeenCalledTimes(2);
    expect(onB).not.toHaveBeenCalled();
  });

  it('judges by the account’s own limits as soon as they are known', () => {
    const store = new PositionStore(() => START + 20 * 60_000);
    store.applyVehicles([vehicle(A, { live: movingState(START) })]);
    const statusBy = (outdatedAfterMinutes: number, offlineAfterMinutes: number) => {
      store.judgeBy(agedBy({ outdatedAfterMinutes, offlineAfterMinutes }));
      return store.get(A)?.now.status;
    };
    expect(store.get(A)?.now.status).toBe('outdated');
    expect(statusBy(30, 1440)).toBe('moving');
    expect(statusBy(10, 15)).toBe('offline');
  });

  it('tells when an empty list has been read', () => {
    const store = storeAt();
    const listener = vi.fn();
    store.subscribe(listener);
    store.applyVehicles([]);
    expect(store.loaded).toBe(true);
    expect(listener).toHaveBeenCalledTimes(1);
    store.applyVehicles([]);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('tells all changes of one batch at once', () => {
    const store = storeAt();
    store.applyVehicles([vehicle(A), vehicle(B)]);
    const listener = vi.fn();
    store.subscribe(listener);
    store.applyBatch({ reports: [report(A, START), report(B, START), report(A, START + 1000)], states: [] });
    expect(listener).toHaveBeenCalledTimes(1);
    expect(listener.mock.calls[0]?.[0]).toEqual(new Set([A, B]));
  });
});

type Step =
  | { readonly kind: 'vehicles'; readonly list: readonly Vehicle[] }
  | { readonly kind: 'snapshot'; readonly reports: readonly PositionReport[] }
  | {
      readonly kind: 'batch';
      readonly reports: readonly PositionReport[];
      readonly states: readonly (readonly [string, LiveState])[];
    };

const imei = fc.constantFrom(A, B);
const reportStep = fc
  .record({
    imei,
    second: fc.integer({ min: 0, max: 5 }),
    delayMs: fc.integer({ min: 0, max: 2 }),
    speed: fc.integer({ min: 0, max: 2 }),
    valid: fc.boolean(),
  })
  .map(({ imei: of, second, delayMs, speed, valid }) =>
    report(of, START + second * 1000, {
      speed,
      lat: 41 + second / 10,
      gpsStatus: valid ? 'A' : 'V',
      receivedAt: new Date(START + second * 1000 + delayMs).toISOString(),
    }),
  );
const stateStep = fc
  .tuple(imei, fc.integer({ min: 0, max: 5 }), fc.constantFrom('moving' as const, 'stopped' as const))
  .map(([of, second, motion]) => [of, movingState(START + second * 1000, { motion })] as const);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('snapshot' as const), reports: fc.array(reportStep, { maxLength: 4 }) }),
  fc.record({
    kind: fc.constant('batch' as const),
    reports: fc.array(reportStep, { maxLength: 4 }),
    states: fc.array(stateStep, { maxLength: 3 }),
  }),
  fc.array(stateStep, { maxLength: 2 }).map(states => ({
    kind: 'vehicles' as const,
    list: [A, B].map(of => vehicle(of, { live: states.find(([id]) => id === of)?.[1] ?? movingState(START) })),
  })),
);

function run(steps: readonly Step[]) {
  const store = storeAt(START + 10_000);
  for (const one of steps) {
    if (one.kind === 'vehicles') store.applyVehicles(one.list);
    else if (one.kind === 'snapshot') store.applySnapshot(one.reports);
    else store.applyBatch(one);
  }
  // The newest list that was read wins, whatever else arrived. Only the live data has to agree.
  return [...store.entries].map(([id, { report: newest, place, fixMs, heardMs, now }]) => [
    id,
    { newest, place, fixMs, heardMs, now },
  ]);
}

describe('PositionStore, any interleaving', () => {
  it('ends the same whatever order snapshot and stream arrive in, repetitions included', () => {
    const base: Step = { kind: 'vehicles', list: [vehicle(A), vehicle(B)] };
    const steps = fc.array(step, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(
        steps.chain(list =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray([...list, ...list.slice(0, 2)], { minLength: list.length })),
        ),
        ([ordered, shuffled]) => {
          // If the shuffle lost a step to a repetition, add it: otherwise the runs couldn't be compared.
          const complete = [...shuffled, ...ordered.filter(one => !shuffled.includes(one))];
          expect(run([base, ...complete])).toEqual(run([base, ...ordered]));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a report never moves the newest fix back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), steps => {
        const store = storeAt(START + 10_000);
        store.applyVehicles([vehicle(A), vehicle(B)]);
        let newest = 0;
        for (const one of steps) {
          if (one.kind === 'vehicles') store.applyVehicles(one.list);
          else if (one.kind === 'snapshot') store.applySnapshot(one.reports);
          else store.applyBatch(one);
          const fix = store.get(A)?.fixMs ?? 0;
          expect(fix).toBeGreaterThanOrEqual(newest);
          newest = fix;
        }
      }),
    );
  });
});
