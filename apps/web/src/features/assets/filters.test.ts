import { describe, expect, it } from 'vitest';
import { expiryOf } from '../../documents/expiry.ts';
import { vehicle } from '../../live/testing/fleet.ts';
import { shownVehicles, subscriptionOf, tagsOf } from './filters.ts';

const TRUCK = vehicle('356307042441013', {
  deviceName: '4127',
  type: 'tractor',
  make: 'Kenworth',
  model: 'T680',
  year: 2022,
  tags: ['Long haul', 'ADR'],
  driver: { id: '1', name: 'Dana Whitlock', source: 'card' },
  documentsExpireOn: '2026-12-01',
  daysRemaining: 96,
});
const VAN = vehicle('356307042441021', { deviceName: '4118', plate: 'VA 48-190', type: 'van', daysRemaining: 12 });
const NEW = vehicle('356307042441039', { deviceName: 'R-206', protocol: null, daysRemaining: 0 });
const ALL = [TRUCK, VAN, NEW];

const expiry = (date: string) => expiryOf(date, '2026-11-22', 90);
const names = (query: string, filters: Record<string, string[]>, folder: string[] | null = null) =>
  shownVehicles(ALL, folder && new Set(folder), { query, filters }, expiry).map(({ deviceName }) => deviceName);

describe('the vehicles of the registry', () => {
  it.each([
    ['', ['4127', '4118', 'R-206']],
    ['kenworth 2022', ['4127']],
    ['dana', ['4127']],
    ['48-190', ['4118']],
    ['356307042441039', ['R-206']],
    ['adr', ['4127']],
    ['nobody', []],
  ])('are found by %j', (query, expected) => {
    expect(names(query, {})).toEqual(expected);
  });

  it.each([
    [{ type: ['van', 'tractor'] }, ['4127', '4118']],
    [{ type: ['none'] }, ['R-206']],
    [{ tracker: ['none'] }, ['R-206']],
    [{ documents: ['ending'] }, ['4127']],
    [{ documents: ['none'], type: ['van'] }, ['4118']],
    [{ subscription: ['ending', 'over'] }, ['4118', 'R-206']],
    [{ driver: ['none'] }, ['4118', 'R-206']],
    [{ tag: ['ADR'] }, ['4127']],
    [{ folder: ['7'] }, ['4127', '4118', 'R-206']],
  ])('are filtered by %j', (filters, expected) => {
    expect(names('', filters)).toEqual(expected);
  });

  it('are those of the folder', () => {
    expect(names('', {}, [VAN.id])).toEqual(['4118']);
    expect(names('', {}, [])).toEqual([]);
  });

  it('[R4.19] a subscription runs, ends within a month, or is over', () => {
    expect([null, 0, 1, 30, 31, 364].map(subscriptionOf)).toEqual([
      null,
      'over',
      'ending',
      'ending',
      'running',
      'running',
    ]);
  });

  it('offer the tags that are in use', () => {
    expect(tagsOf(ALL)).toEqual(['ADR', 'Long haul']);
  });
});
