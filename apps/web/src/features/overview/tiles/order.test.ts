import { ALL_TILES, OUTCOME_TILES, OVERVIEW_TILES } from '@milepost/contract';
import { expect, it } from 'vitest';
import { columnsOf, hiddenTiles, moved, shownTiles } from './order.ts';

it('tiles move, stop at the ends, and those that are hidden can be had back', () => {
  expect(shownTiles(null)).toEqual(ALL_TILES);
  const shown = ['distance', 'idleShare', 'stops'] as const;
  expect(moved(shown, 'stops', -1)).toEqual(['distance', 'stops', 'idleShare']);
  expect(moved(shown, 'distance', -1)).toBe(shown);
  expect(moved(shown, 'distance', 9)).toEqual(['idleShare', 'stops', 'distance']);
  expect([...shown, ...hiddenTiles(shown)].toSorted()).toEqual([...ALL_TILES].toSorted());
});

it('every tile has a place on a page that nobody has arranged', () => {
  expect([...ALL_TILES].toSorted()).toEqual([...OVERVIEW_TILES, ...OUTCOME_TILES].toSorted());
});

it('rows of tiles are about as long as each other, and no more than are needed', () => {
  expect([7, 6, 5, 4, 3].map(most => columnsOf(14, most))).toEqual([7, 5, 5, 4, 3]);
  for (let count = 1; count <= ALL_TILES.length; count++) {
    for (const most of [3, 4, 5, 6, 7]) {
      const columns = columnsOf(count, most);
      const rows = Math.ceil(count / columns);
      expect(columns).toBeLessThanOrEqual(most);
      expect(rows).toBe(Math.ceil(count / most));
      expect(rows * columns - count).toBeLessThan(rows);
    }
  }
});
