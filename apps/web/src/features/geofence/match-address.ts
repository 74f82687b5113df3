import type { Address } from '@milepost/contract';

/** Why a found address may not be the one that was meant. */
export type Doubt = 'number' | 'words' | 'several';

export interface Match {
  readonly address: Address;
  readonly doubt: Doubt | null;
}

/** Two matches closer than this are one place. */
const SAME_PLACE_M = 500;
const METERS_A_DEGREE = 111_320;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** `IL`, `St`, `W`: services write these out, so they prove nothing either way. */
const isShort = (word: string): boolean => word.length <= 3;
const isNumber = (word: string): boolean => /^\d+\p{L}?$/u.test(word);

/**
 * The best of what a service found for an address, and what of the address it lacks: its house number, or a longer word
 * of street and town. A service answers with a street where it doesn't know the house, and with another town's street
 * where it doesn't know that.
 */
export function matchAddress(text: string, found: readonly Address[]): Match | null {
  const asked = wordsOf(text);
  const [best, ...others] = found.map(address => {
    const known = new Set(wordsOf(`${address.name} ${address.region}`));
    const lacks = (words: readonly string[]): number => words.filter(word => !known.has(word)).length;
    // A postal code is not in every answer; a house number is the first number.
    const number = asked.find(isNumber);
    const noNumber = number === undefined ? 0 : lacks([number]);
    return { address, noNumber, words: lacks(asked.filter(word => !isShort(word) && !isNumber(word))) };
  });
  if (!best) return null;
  const { address, noNumber, words } = best;
  if (words > 0) return { address, doubt: 'words' };
  if (noNumber > 0) return { address, doubt: 'number' };
  const isRival = (other: NonNullable<typeof best>): boolean =>
    other.words === 0 && other.noNumber === 0 && metersBetween(address, other.address) > SAME_PLACE_M;
  return { address, doubt: others.some(isRival) ? 'several' : null };
}

function metersBetween(a: Address, b: Address): number {
  const x = (b.lon - a.lon) * Math.cos((((a.lat + b.lat) / 2) * Math.PI) / 180);
  return Math.hypot(x, b.lat - a.lat) * METERS_A_DEGREE;
}
