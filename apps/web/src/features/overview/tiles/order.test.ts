import { OVERVIEW_TILES } from '@milepost/contract';
import { expect, it } from 'vitest';
import { hiddenTiles, moved, shownTiles } from './order.ts';

it('tiles move, stop at the ends, and those that are hidden can be had back', () => {
  expect(shownTiles(null)).toEqual(OVERVIEW_TILES);
  const shown = ['distance', 'idleShare', 'stops'] as const;
  expect(moved(shown, 'stops', -1)).toEqual(['distance', 'stops', 'idleShare']);
  expect(moved(shown, 'distance', -1)).toBe(shown);
  expect(moved(shown, 'distance', 9)).toEqual(['idleShare', 'stops', 'distance']);
  expect([...shown, ...hiddenTiles(shown)].toSorted()).toEqual([...OVERVIEW_TILES].toSorted());
});
