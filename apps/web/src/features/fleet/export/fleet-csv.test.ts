import type { BoardRow, Task } from '@milepost/contract';
import type { TFunction } from 'i18next';
import { expect, it } from 'vitest';
import { METRIC } from '../../../format/measure.ts';
import { formatMoment } from '../../../format/time.ts';
import { PositionStore } from '../../../live/position-store.ts';
import { movingState, vehicle } from '../../../live/testing/fleet.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
import { newTask } from '../../../tasks/test-task.ts';
import { COLUMNS } from '../columns/columns.ts';
import type { FleetFacts } from '../facts.ts';
import { fleetRows } from '../rows/fleet-rows.ts';
import { fleetCsv } from './fleet-csv.ts';

const NOW = Date.UTC(2026, 10, 19, 19);
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();
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

const said = (key: string, values?: object) => [key, ...Object.values(values ?? {})].join(' ');
const reader = { t: said as unknown as typeof t, system: METRIC, nowMs: NOW };
const cellOf = (column: 'hours' | 'task', known: Partial<FleetFacts>): string => {
  const store = new PositionStore(() => NOW);
  store.applyVehicles([vehicle(A, { live: movingState(NOW) })]);
  const entry = store.get(A);
  if (!entry) throw new Error('The vehicle is known.');
  return COLUMNS[column].text(entry, { ...facts, ...known }, reader);
};

it('[R2.07] has the hours left at that moment of who is signed in, and nothing for a vehicle without a log', () => {
  const clock = (leftS: number) => ({ leftS, limitS: 40_000 });
  const row = {
    status: 'D',
    at: new Date(NOW - 60_000).toISOString(),
    exempt: null,
    clocks: { drive: clock(7260), window: clock(10_860), onDuty: null, break: null, cycle: clock(99_000) },
  } as unknown as BoardRow;
  expect(cellOf('hours', { hoursOf: () => row })).toBe('cell.hours 2:00 3:00');
  expect(cellOf('hours', { hoursOf: () => null })).toBe('');
  expect(cellOf('hours', {})).toBe('');
});

it('[R2.07] says what is next and when the vehicle will be there, is there, or how late it will be', () => {
  const eta = { at: at(0), arriveAt: at(1.5), spareS: 600, distanceM: 90_000, reason: null };
  const cell = (more: Partial<Task>): string => cellOf('task', { taskOf: () => newTask({ ref: 'LH 7', ...more }) });
  expect(cell({ eta, dueTo: at(2) })).toBe(`cell.taskAt LH 7 ${formatMoment(NOW + 1.5 * HOUR, NOW)}`);
  expect(cell({ eta: { ...eta, spareS: -4800 }, dueTo: at(1) })).toBe('cell.taskLate LH 7 1:20');
  expect(cell({ state: 'arrived', dueTo: at(-1) })).toBe('cell.taskThere LH 7');
  expect(cell({ dueTo: at(-1) })).toBe('cell.taskOver LH 7');
  expect(cell({ ref: null })).toBe('Load');
  expect(cellOf('task', { taskOf: () => null })).toBe('');
});
