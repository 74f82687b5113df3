import { NO_SUMS } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { METRIC } from '../../../format/measure.ts';
import { timedReport, timedState } from '../../../live/live-message.ts';
import { movingState, report, vehicle } from '../../../live/testing/fleet.ts';
import { toEntry } from '../../../live/vehicle-entry.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
import type { FleetFacts } from '../facts.ts';
import type { Grouping, Order } from '../state/fleet-url.ts';
import { headBefore, tableItems } from '../table/table-items.ts';
import { fleetRows, keepingOrder } from './fleet-rows.ts';

const NOW = Date.UTC(2026, 10, 19, 19);

function entry(name: string, speed: number | null, what: Parameters<typeof vehicle>[1] = {}) {
  const imei = `35693803564${name.padStart(4, '0')}`;
  const live = movingState(NOW - 5000, speed === 0 ? { motion: 'stopped' } : {});
  const known = vehicle(imei, { deviceName: name, ...(speed !== null && { live }), ...what });
  const last = speed === null ? null : timedReport(report(imei, NOW - 5000, { speed }));
  return toEntry({ vehicle: known, state: timedState(known.live), report: last }, NOW);
}
const ann = { id: '1', name: 'Ann', source: 'usual' } as const;
const FLEET = [
  entry('10', 60, { folderId: '2', tags: ['Reefer', 'Night'] }),
  entry('9', 80, { folderId: '1', driver: ann }),
  entry('11', 0, { folderId: '1', tags: ['reefer'] }),
  entry('8', null),
];
const FOLDERS = { '1': ['North'], '2': ['North', 'Reefers'] } as const;
const facts: FleetFacts = {
  folderOf: ({ folderId }) => {
    if (folderId !== '1' && folderId !== '2') return null;
    return { id: folderId, path: FOLDERS[folderId], order: Number(folderId) };
  },
  sumsOf: ({ id, deviceName }) =>
    deviceName === '8'
      ? null
      : { ...NO_SUMS, deviceId: id, since: '2026-11-18', distanceM: 1000 * Number(deviceName), idlingS: 60 },
  days: { from: '2026-11-18', daySeconds: [86_400, 68_400] },
  departmentPathOf: () => [],
  alertsOf: () => undefined,
  expiryOf: () => 'fine',
};
const rowsOf = (text: string, order: Order, group: Grouping, fleet = FLEET, known = facts) => {
  const entries = new Map(fleet.map(one => [one.vehicle.imei, one]));
  return fleetRows({ entries, loaded: true }, { search: parseSearch(text, METRIC), order, group }, known, NOW);
};
const by = (column: Order['column'], descending = false): Order => ({ column, descending });
const names = (imeis: readonly string[]) => imeis.map(imei => String(Number(imei.slice(-4))));
const inGroups = ({ groups }: ReturnType<typeof fleetRows>) => groups.map(({ name, imeis }) => [name, ...names(imeis)]);

describe('the rows of the fleet', () => {
  it.each([
    [by('unit'), ['8', '9', '10', '11']],
    [by('unit', true), ['11', '10', '9', '8']],
    [by('speed', true), ['9', '10', '8', '11']],
    [by('speed'), ['10', '9', '8', '11']],
    [by('today', true), ['11', '10', '9', '8']],
    [by('driver'), ['9', '8', '10', '11']],
  ] as const)('in the order %j; what has no value comes last, by name', (order, expected) => {
    expect(inGroups(rowsOf('', order, 'none'))).toEqual([[null, ...expected]]);
  });

  it.each([
    [
      'folder',
      [
        ['North', '9', '11'],
        ['North › Reefers', '10'],
        [null, '8'],
      ],
    ],
    [
      'status',
      [
        ['moving', '9', '10'],
        ['stopped', '11'],
        ['no-data', '8'],
      ],
    ],
    [
      'driver',
      [
        ['Ann', '9'],
        [null, '8', '10', '11'],
      ],
    ],
    [
      'tag',
      [
        ['Night', '10'],
        ['Reefer', '10', '11'],
        [null, '8', '9'],
      ],
    ],
  ] as const)('by %s, each group with its counts', (group, expected) => {
    expect(inGroups(rowsOf('', by('unit'), group))).toEqual(expected);
  });

  it('counts what it lists, each vehicle once', () => {
    const { totals, total, groups } = rowsOf('tag:reefer', by('unit'), 'tag');
    expect(totals).toMatchObject({ vehicles: 2, sums: { distanceM: 21_000, days: 2, vehicleDays: 4 } });
    expect(totals.counts).toMatchObject({ moving: 1, stopped: 1, idling: 0 });
    expect(total).toBe(4);
    expect(groups.find(({ key }) => key === 'reefer')?.totals).toMatchObject({
      vehicles: 2,
      sums: { distanceM: 21_000, days: 2, vehicleDays: 4 },
    });
  });

  it('tells no distance where no day is known, and no number of vehicles before they were read', () => {
    expect(rowsOf('status:no-data', by('unit'), 'none').totals).toMatchObject({ vehicles: 1, sums: null });
    const unread = rowsOf('', by('unit'), 'none', FLEET, { ...facts, sumsOf: () => null });
    expect(unread.totals).toMatchObject({ vehicles: 4, sums: null });
    expect(unread.groups[0]?.totals.sums).toBeNull();
    const view = { search: parseSearch('', METRIC), order: by('unit'), group: 'none' } as const;
    expect(fleetRows({ entries: new Map(), loaded: false }, view, facts, NOW).total).toBeNull();
    expect(fleetRows({ entries: new Map(), loaded: true }, view, facts, NOW).total).toBe(0);
  });

  it('stays in its order while someone is in it, with the figures of now', () => {
    const before = rowsOf('', by('speed', true), 'status');
    const moved = FLEET.map(one => (one.vehicle.deviceName === '11' ? entry('11', 99, { folderId: '1' }) : one));
    const fresh = rowsOf('', by('speed', true), 'status', moved);
    expect(inGroups(fresh)[0]).toEqual(['moving', '11', '9', '10']);
    const kept = keepingOrder(before, fresh, imei => !imei.endsWith('0009'));
    expect(inGroups(kept)).toEqual([
      ['moving', '10'],
      ['stopped', '11'],
      ['no-data', '8'],
    ]);
    expect(kept.totals.counts).toMatchObject({ moving: 3, stopped: 0 });
    expect(kept.groups[0]?.totals.vehicles).toBe(3);
  });
});

describe('the items of the table', () => {
  it('have a head for each group, and rows where it is open', () => {
    const items = tableItems(rowsOf('', by('unit'), 'tag'), new Set(['night']));
    expect(items.map(({ key }) => key)).toEqual([
      'night|',
      'reefer|',
      'reefer|356938035640010',
      'reefer|356938035640011',
      '|',
      '|356938035640008',
      '|356938035640009',
    ]);
    expect([headBefore(items, 3), headBefore(items, 1), headBefore(items, 99), headBefore([], 0)]).toEqual([
      1, 1, 4, -1,
    ]);
  });

  it('have no head where nothing is grouped', () => {
    const items = tableItems(rowsOf('', by('unit'), 'none'), new Set());
    expect(items.every(({ kind }) => kind === 'row')).toBe(true);
  });
});
