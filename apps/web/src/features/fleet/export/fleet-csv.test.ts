import type { BoardRow } from '@milepost/contract';
import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { METRIC } from '../../../format/measure.ts';
import { PositionStore } from '../../../live/position-store.ts';
import { movingState, vehicle } from '../../../live/testing/fleet.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
import { COLUMNS } from '../columns/columns.ts';
import type { FleetFacts } from '../facts.ts';
import { fleetRows } from '../rows/fleet-rows.ts';
import { fleetCsv } from './fleet-csv.ts';

const NOW = Date.UTC(2026, 10, 19, 19);
const [A, B, C] = ['356307042441013', '356307042441021', '356307042441039'] as const;
const facts: FleetFacts = {
  folderOf: () => null,
  sumsOf: () => null,
  days: null,
  departmentPathOf: () => [],
  alertsOf: () => undefined,
  expiryOf: () => 'fine',
};
const t = ((key: string) => key) as unknown as TFunction<['fleet', 'vehicle']>;

function linesOf(only: ReadonlySet<string> | null): string[] {
  const store = new PositionStore(() => NOW);
  store.applyVehicles([
    vehicle(A, { deviceName: '1', tags: ['night', 'reefer'], live: movingState(NOW) }),
    vehicle(B, { deviceName: '2', tags: ['night'], live: movingState(NOW) }),
    vehicle(C, { deviceName: '3', live: movingState(NOW) }),
  ]);
  const search = parseSearch('tag:night', METRIC);
  const csv = fleetCsv({
    rows: fleetRows(store, { search, order: { column: 'unit', descending: false }, group: 'tag' }, facts, NOW),
    entryOf: imei => store.get(imei),
    columns: [{ id: 'unit' }],
    facts,
    reader: { t, system: METRIC, nowMs: NOW },
    title: vehicles => `${vehicles} vehicles`,
    group: null,
    only,
  });
  return csv.replace('\ufeff', '').trim().split('\r\n');
}

it('says how many vehicles are in it: those that were selected, are shown and are still there, each once', () => {
  expect(linesOf(null)[0]).toBe('2 vehicles');
  expect(linesOf(null)).toHaveLength(2 + 3);
  expect(linesOf(new Set([A, C, '356307042449999']))[0]).toBe('1 vehicles');
});

it('[R2.07] has the hours left at that moment of who is signed in, and nothing for a vehicle without a log', () => {
  const clock = (leftS: number) => ({ leftS, limitS: 40_000 });
  const row = {
    status: 'D',
    at: new Date(NOW - 60_000).toISOString(),
    exempt: null,
    clocks: { drive: clock(7260), window: clock(10_860), onDuty: null, break: null, cycle: clock(99_000) },
  } as unknown as BoardRow;
  const said = (key: string, values?: object) => (values ? Object.values(values).join(' ') : key);
  const reader = { t: said as unknown as typeof t, system: METRIC, nowMs: NOW };
  const hours = (imei: string, known: FleetFacts): string => {
    const store = new PositionStore(() => NOW);
    store.applyVehicles([vehicle(imei, { live: movingState(NOW) })]);
    const entry = store.get(imei);
    if (!entry) throw new Error('The vehicle is known.');
    return COLUMNS.hours.text(entry, known, reader);
  };
  expect(hours(A, { ...facts, hoursOf: () => row })).toBe('D 2:00 3:00');
  expect(hours(A, { ...facts, hoursOf: () => null })).toBe('');
  expect(hours(A, facts)).toBe('');
});
