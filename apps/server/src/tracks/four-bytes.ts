import { shortestOfFour } from '@milepost/track';

const REMEMBERED = 65_536;
const known = new Map<number, number>();

/** A number of four bytes as the database writes it: the shortest decimal that means the same. */
export function decimalOfFour(value: number): number {
  // With six digits or fewer, there is no shorter one, and it takes no search.
  const near = Math.round(value * 1000) / 1000;
  if (Math.abs(value) < 1000 && Math.fround(near) === value) return near;
  let decimal = known.get(value);
  if (decimal === undefined) {
    if (known.size >= REMEMBERED) known.clear();
    decimal = shortestOfFour(value);
    known.set(value, decimal);
  }
  return decimal;
}
