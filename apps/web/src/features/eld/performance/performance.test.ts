import { describe, expect, it } from 'vitest';
import { difference, figure, toneOf, uncertainty } from './score-words.ts';

describe('[R2.16] a score in words', () => {
  it('has its tone by what is usual, and none for who did not drive', () => {
    expect([94, 85, 84, 75, 74, null].map(toneOf)).toEqual(['fine', 'fine', 'fair', 'fair', 'low', 'fine']);
  });

  it('says how far it may be off, and differences with their sign', () => {
    expect(figure(uncertainty({ low: 67, high: 77 }))).toBe('5');
    expect([2.4, -0.4, -6].map(difference)).toEqual(['+2', '0', '−6']);
  });
});
