/** Pseudorandom numbers 0 ≤ x < 1, always the same for the same seed, so that a vehicle's history can be reproduced. */
export type Random = () => number;

/** FNV-1a over the parts, then mulberry32. */
export function randomFrom(...parts: readonly (string | number)[]): Random {
  let state = 0x811c9dc5;
  for (const character of parts.join('|')) {
    state = Math.imul(state ^ character.charCodeAt(0), 0x01000193);
  }
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();
