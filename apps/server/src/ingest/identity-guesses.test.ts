import { describe, expect, it } from 'vitest';
import { IdentityGuesses } from './identity-guesses.ts';

const ADDRESS = '203.0.113.7';
const OTHER = '198.51.100.9';
const TEN_MINUTES = 600_000;

/** An address that has sent 60 identities that belong to no vehicle. */
function guesser(now = 0): IdentityGuesses {
  const guesses = new IdentityGuesses();
  for (let i = 0; i < 60; i++) guesses.missed(ADDRESS, `35630704244${i}`, now);
  return guesses;
}

describe('an address that tries identities', () => {
  it('is not let in any more, and others are', () => {
    const guesses = guesser();
    expect([guesses.allows(ADDRESS, 7, 1), guesses.allows(OTHER, 7, 1)]).toEqual([false, true]);
  });

  it('may name the same one as often as it likes: a depot has new trackers', () => {
    const guesses = new IdentityGuesses();
    for (let i = 0; i < 1000; i++) guesses.missed(ADDRESS, '356307042441013', 0);
    expect(guesses.allows(ADDRESS, 7, 1)).toBe(true);
  });

  it('keeps the trackers that came from there before', () => {
    const guesses = new IdentityGuesses();
    expect(guesses.allows(ADDRESS, 7, 0)).toBe(true);
    for (let i = 0; i < 60; i++) guesses.missed(ADDRESS, `${i}`, 1);
    expect([guesses.allows(ADDRESS, 7, 2), guesses.allows(ADDRESS, 8, 2)]).toEqual([true, false]);
  });

  it('is let in again after ten minutes', () => {
    const guesses = guesser();
    expect([guesses.allows(ADDRESS, 7, TEN_MINUTES - 1), guesses.allows(ADDRESS, 7, TEN_MINUTES)]).toEqual([
      false,
      true,
    ]);
  });

  it('counts with its whole network over IPv6', () => {
    const guesses = new IdentityGuesses();
    for (let i = 0; i < 60; i++) guesses.missed(`2001:db8::${i.toString(16)}`, `${i}`, 0);
    expect(guesses.allows('2001:db8::ffff', 7, 1)).toBe(false);
    expect(guesses.allows('2001:db8:0:1::1', 7, 1)).toBe(true);
  });

  it('is told of once by each guess that counts, and counts those of other nodes', () => {
    const other = new IdentityGuesses();
    const told: string[] = [];
    const guesses = new IdentityGuesses((key, identity) => {
      told.push(identity);
      other.count(key, identity, 0);
    });
    for (let i = 0; i < 70; i++) guesses.missed(ADDRESS, `35630704244${i % 65}`, 0);
    expect(new Set(told).size).toBe(told.length);
    expect(told).toHaveLength(60);
    expect([other.allows(ADDRESS, 7, 1), other.allows(OTHER, 7, 1)]).toEqual([false, true]);
  });

  it('can not fill the memory', () => {
    const guesses = guesser();
    for (let i = 0; i < 10_000; i++) guesses.missed(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, 'x', 1);
    // The oldest entry is dropped first.
    expect(guesses.allows(ADDRESS, 7, 2)).toBe(true);
  });
});
