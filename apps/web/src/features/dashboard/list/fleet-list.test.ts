import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { US } from '../../../format/measure.ts';
import { PositionStore } from '../../../live/position-store.ts';
import { movingState, NO_DATA, report, vehicle } from '../../../live/testing/fleet.ts';
import { parseSearch } from '../../../search-tokens/search-text.ts';
import { type FleetQuery, fleetList } from './fleet-list.ts';

const NOW = Date.parse('2026-11-19T19:02:11Z');
const [A, B, C] = ['356307042441013', '356307042441021', '356307042441039'] as const;

const store = new PositionStore(() => NOW);
store.applyVehicles([
  vehicle(A, {
    deviceName: 'Truck 10',
    plate: 'VA 48-217',
    model: '2022 Kenworth T680',
    live: movingState(NOW - 4000),
  }),
  vehicle(B, { deviceName: 'Truck 9', vin: '1XKYD49X8NJ123456', live: movingState(NOW - 9000, { motion: 'stopped' }) }),
  vehicle(C, { deviceName: 'R-206', live: NO_DATA }),
]);
store.applySnapshot([report(A, NOW - 4000, { address: 'N Damen Ave, Chicago, IL', speed: 50 })]);

const listed = ({ query = '', ...rest }: Partial<FleetQuery> & { query?: string }, from = store) => {
  const search = parseSearch(query, US);
  const context = { nowMs: NOW };
  return fleetList(from, { search, context, statuses: new Set(), sort: 'name', ...rest });
};
const names = (query: Parameters<typeof listed>[0]) => listed(query).entries.map(({ vehicle }) => vehicle.deviceName);

describe('fleetList', () => {
  it.each([
    ['truck', ['Truck 9', 'Truck 10']],
    ['48217', ['Truck 10']],
    ['kenworth', ['Truck 10']],
    ['nj123', ['Truck 9']],
    ['damen chicago', ['Truck 10']],
    ['441013', ['Truck 10']],
    ['1039', ['R-206']],
    ['speed>25mph', ['Truck 10']],
    ['status:moving truck', ['Truck 10']],
    ['age<8s', ['Truck 10']],
    ['nothing like it', []],
    ['--', []],
  ])('finds by name, plate, model, VIN, address and IMEI, and by filters: %s', (query, expected) => {
    expect(names({ query })).toEqual(expected);
  });

  it('does not find half a fleet by the digits that all IMEIs share', () => {
    expect(names({ query: '356' })).toEqual([]);
  });

  it('filters by status and still counts what the other statuses would show', () => {
    const list = listed({ statuses: new Set(['stopped']) });
    expect(list.entries.map(({ vehicle }) => vehicle.imei)).toEqual([B]);
    expect(list).toMatchObject({ total: 3, found: 3, counts: { moving: 1, stopped: 1, 'no-data': 1 } });
  });

  it('sorts by name as people count, by status, by speed and by silence', () => {
    expect(names({ sort: 'name' })).toEqual(['R-206', 'Truck 9', 'Truck 10']);
    expect(names({ sort: 'status' })).toEqual(['Truck 10', 'Truck 9', 'R-206']);
    expect(names({ sort: 'speed' })).toEqual(['Truck 10', 'R-206', 'Truck 9']);
    expect(names({ sort: 'age' })).toEqual(['R-206', 'Truck 9', 'Truck 10']);
  });

  it('shows each vehicle at most once, and all of them without a filter', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 4 }), fc.constantFrom('name', 'status', 'speed', 'age'), (query, sort) => {
        const { entries, found, total } = listed({ query, sort });
        expect(new Set(entries).size).toBe(entries.length);
        expect(entries.length).toBe(found);
        if (query.trim() === '') expect(found).toBe(total);
      }),
    );
  });

  it('counts nothing before the vehicles were read', () => {
    const unread = new PositionStore(() => NOW);
    expect(listed({}, unread).counts).toBeNull();
    unread.applyVehicles([]);
    expect(listed({}, unread).counts).toMatchObject({ moving: 0 });
  });
});
