import { ALL_TILES, OUTCOME_TILES, OVERVIEW_TILES } from '@milepost/contract';
import { expect, it } from 'vitest';
import { hiddenTiles, moved, shownTiles } from './order.ts';

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
