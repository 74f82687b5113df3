import { describe, expect, it } from 'vitest';
import { type Ring, ringArea, seaOf } from './rings.ts';

const square = (from: number, to: number): Ring => [
  { x: from, y: from },
  { x: to, y: from },
  { x: to, y: to },
  { x: from, y: to },
];
const areas = (rings: readonly Ring[]): number[] => rings.map(ringArea);

describe('the sea of a tile', () => {
  const frame = square(-10, 110);

  it('is all of it without land', () => {
    expect(areas(seaOf(frame, []))).toEqual([120 * 120]);
  });

  it('has its land as holes', () => {
    expect(areas(seaOf(frame, [square(0, 20), square(50, 60)]))).toEqual([14_400, -400, -100]);
  });

  it('has a lake of the sea in the land as a polygon of its own, with the islands in it', () => {
    const land = square(0, 80);
    const lake = square(10, 50).toReversed();
    const island = square(20, 30);
    expect(areas(seaOf(frame, [land, lake, island]))).toEqual([14_400, -6400, 1600, -100]);
  });
});
