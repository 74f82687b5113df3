const MICRODEGREES = 1_000_000;
const SIGN = 0x8000_0000;
const WHOLE = 0x1_0000_0000;

/** In degrees. */
export const NORTH_POLE = 90;
export const DATE_LINE = 180;

/**
 * Millionths of a degree. By the standard the hemisphere is a bit of the status word; some trackers write the number
 * with a sign instead: as a negative number, or in its highest bit ("4G Wireless Air Protocol" VJT.04.063). Both are
 * beyond any angle, so they can't be confused.
 */
export function angleOf(raw: number, most: number, isNegative: boolean): number {
  const limit = most * MICRODEGREES;
  if (raw <= limit || raw < SIGN) return signed(raw, isNegative);
  if (raw - SIGN <= limit) return signed(raw - SIGN, true);
  if (WHOLE - raw <= limit) return signed(WHOLE - raw, true);
  return signed(raw, isNegative);
}

const signed = (value: number, isNegative: boolean): number =>
  isNegative ? 0 - value / MICRODEGREES : value / MICRODEGREES;
