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

  it('is the whole tile without land', () => {
    expect(areas(seaOf(frame, []))).toEqual([120 * 120]);
  });

  it('has land as holes', () => {
    expect(areas(seaOf(frame, [square(0, 20), square(50, 60)]))).toEqual([14_400, -400, -100]);
  });

  it('has sea enclosed by land as a separate polygon, with its islands', () => {
    const land = square(0, 80);
    const lake = square(10, 50).toReversed();
    const island = square(20, 30);
    expect(areas(seaOf(frame, [land, lake, island]))).toEqual([14_400, -6400, 1600, -100]);
  });
});
