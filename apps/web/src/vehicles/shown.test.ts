import type { LiveState, PositionReport } from '@milepost/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { startI18n } from '../base/i18n.ts';
import { METRIC } from '../format/measure.ts';
import { PositionStore } from '../live/position-store.ts';
import { movingState, report, vehicle } from '../live/testing/fleet.ts';
import type { VehicleEntry } from '../live/vehicle-entry.ts';
import { mapVehicle } from './map-vehicle.ts';
import { speedOf, speedWords, toldMs } from './shown.ts';

beforeAll(startI18n);

const NOW = Date.UTC(2026, 10, 22, 16);
const IMEI = '356307042441013';
const MINUTE = 60_000;

function entryOf(live: LiveState, last: PositionReport): VehicleEntry {
  const store = new PositionStore(() => NOW);
  store.applyVehicles([vehicle(IMEI, { live })]);
  store.applySnapshot([last]);
  const entry = store.get(IMEI);
  if (!entry) throw new Error('no entry');
  return entry;
}
const saysOf = (live: Partial<LiveState>, speed: number, atMs = NOW - 5000): string | null => {
  const entry = entryOf(movingState(atMs, live), report(IMEI, atMs, { speed }));
  const shown = speedOf(entry, NOW);
  return shown && speedWords(shown, METRIC).replace('\u202f', ' ');
};

describe('a speed beside its status', () => {
  it('is worded in the tense of the status', () => {
    expect(saysOf({ motion: 'moving' }, 48)).toBe('48 km/h');
    expect(saysOf({ motion: 'moving' }, 0)).toBe('halted');
    expect(saysOf({ motion: 'idling' }, 34)).toBe('starting, 34 km/h');
    expect(saysOf({ motion: 'stopped' }, 32)).toBe('starting, 32 km/h');
    expect(saysOf({ motion: 'moving' }, 48, NOW - 30 * MINUTE)).toBe('was 48 km/h');
  });

  it('is not told where the tracker sends none', () => {
    const silent = report(IMEI, NOW - 5000, { speed: 0, speedKnown: false });
    expect(speedOf(entryOf(movingState(NOW - 5000), silent), NOW)).toBeNull();
  });
});

it('of what is not true any more every place tells the age of the fix, not of the last sign of life', () => {
  const fixMs = NOW - 26 * 60 * MINUTE;
  const heard = new Date(NOW - 57 * MINUTE).toISOString();
  const entry = entryOf(movingState(fixMs, { heardAt: heard }), report(IMEI, fixMs, { receivedAt: heard }));
  expect(entry.now.status).toBe('outdated');
  expect(toldMs(entry)).toBe(fixMs);
  expect(mapVehicle(entry, NOW)?.age).toBe('26 h');
});
