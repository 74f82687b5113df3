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
  const { period, sort, group, pathname } = read(overviewLinks({ ...everything, period: '28', days: week }).tile(tile));
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
  expect(read(tile('idleShare'))).toEqual({
    pathname: '/fleet',
    q: 'engine>0m folder:North/Reefers department:"Night shift"',
    sort: '-idled',
    group: 'none',
    period: 'custom',
    ...week,
  });
});

it('today is the period of a list whose address names none', () => {
  expect(read(overviewLinks(everything).tile('distance'))).toEqual({
    pathname: '/fleet',
    q: 'today>0mi',
    sort: '-today',
    group: 'none',
  });
});
