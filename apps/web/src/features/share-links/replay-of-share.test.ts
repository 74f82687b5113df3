import { expect, it } from 'vitest';
import { replayOfShare } from './replay-of-share.ts';

const share = {
  startsAt: '2026-11-02T08:00:00.000Z',
  expiresAt: '2026-11-03T08:00:00.000Z',
  revokedAt: null,
  vehicles: [
    { id: '7', deviceName: 'Truck 7' },
    { id: '8', deviceName: 'Truck 8' },
  ],
};
const during = (from: string, to: string) => `/replay?vehicles=7,8&from=2026-11-${from}:00Z&to=2026-11-${to}:00Z`;

it.each([
  ['under way', {}, '2026-11-02T12:30:00Z', during('02T08:00', '02T12:30')],
  ['over', {}, '2026-11-20T00:00:00Z', during('02T08:00', '03T08:00')],
  ['ended before', { revokedAt: '2026-11-02T09:00:00.000Z' }, '2026-11-20T00:00:00Z', during('02T08:00', '02T09:00')],
  ['long', { expiresAt: '2026-12-02T08:00:00.000Z' }, '2026-11-20T00:00:00Z', during('02T08:00', '09T08:00')],
  ['planned', {}, '2026-11-01T00:00:00Z', null],
  ['of no vehicle', { vehicles: [] }, '2026-11-20T00:00:00Z', null],
])('[R2.06] a link that is %s opens the replay of what was to be seen', (_, change, now, path) => {
  expect(replayOfShare({ ...share, ...change }, Date.parse(now))).toBe(path);
});
