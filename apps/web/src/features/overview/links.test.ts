import { expect, it } from 'vitest';
import { overviewLinks } from './links.ts';

it('a tile opens the rows that it is the sum of, sorted, of the same folder', () => {
  const { tile } = overviewLinks('North', true);
  expect(tile('idleShare')).toBe(`/fleet?q=${encodeURIComponent('idled>0m folder:"North"')}&sort=-idled`);
  expect(tile('distance')).toBe(`/fleet?q=${encodeURIComponent('today>0mi folder:"North"')}&sort=-today`);
});

it('a tile of other days, or of what no list has a column for, opens nothing else instead', () => {
  expect(overviewLinks(null, false).tile('idleShare')).toBeNull();
  expect(overviewLinks(null, true).tile('topSpeed')).toBeNull();
});
