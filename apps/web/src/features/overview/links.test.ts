import { OVERVIEW_TILES } from '@milepost/contract';
import { expect, it } from 'vitest';
import { overviewLinks } from './links.ts';

const week = { from: '2026-11-13', to: '2026-11-19' };
const everything = {
  folder: [],
  folderId: '',
  department: [],
  period: 'today',
  days: { from: week.to, to: week.to },
} as const;
const read = (link: string): Readonly<Record<string, string>> => {
  const { pathname, searchParams } = new URL(link, 'https://app.invalid');
  return { pathname, ...Object.fromEntries(searchParams) };
};

it.each(OVERVIEW_TILES)('[R2.11] the tile %s opens rows of the same period, sorted by what they bring to it', tile => {
  const { period, sort, group, pathname } = read(
    overviewLinks({ ...everything, period: '28', days: week }).tile({ key: tile }),
  );
  expect({ period, group, pathname }).toEqual({ period: '28', group: 'none', pathname: '/fleet' });
  expect(sort).toMatch(/^-[a-z]+$/);
});

it('a tile opens the vehicles that it is the sum of, of the same folder, department and days', () => {
  const { tile } = overviewLinks({
    folder: ['North', 'Reefers'],
    folderId: '',
    department: ['Night shift'],
    period: 'custom',
    days: week,
  });
  expect(read(tile({ key: 'idleShare' }))).toEqual({
    pathname: '/fleet',
    q: 'engine>0m folder:North/Reefers department:"Night shift"',
    sort: '-idled',
    group: 'none',
    period: 'custom',
    ...week,
  });
});

it('today is the period of a list whose address names none', () => {
  expect(read(overviewLinks(everything).tile({ key: 'distance' }))).toEqual({
    pathname: '/fleet',
    q: 'today>0mi',
    sort: '-today',
    group: 'none',
  });
});

it('[R2.11] a tile that a report adds up opens that report, of its days and of the same folder', () => {
  const { tile } = overviewLinks({ ...everything, folderId: '7', period: '28', days: week });
  const report = { key: 'scores', from: week.from, to: '2026-11-18' };
  const score = { key: 'score', value: 84, previous: null, change: null, target: null } as const;
  expect(read(tile({ ...score, series: [], report, rows: 25 }))).toEqual({
    pathname: '/reports/scores',
    from: week.from,
    to: '2026-11-18',
    folders: '7',
    compare: '1',
  });
});

it.each([
  ['idled', { q: 'idled>60m', sort: '-idled' }],
  ['gpsDoubts', { sort: '-doubts' }],
] as const)('[R2.11] the step %s opens the vehicles of its days, the worst first', (kind, rows) => {
  const { doNext } = overviewLinks({ ...everything, period: '28', days: week });
  const about = [
    { deviceId: '1', name: '4118' },
    { deviceId: '2', name: '4114' },
  ];
  expect(read(doNext({ kind, severity: 'warning', count: 2, about, measure: 4000 }))).toEqual({
    pathname: '/fleet',
    ...rows,
    group: 'none',
    period: '28',
  });
});
