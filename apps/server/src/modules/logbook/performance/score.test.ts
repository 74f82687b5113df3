import { PERFORMANCE_KINDS } from '@milepost/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_WEIGHTS, pointsOf, scoreOf } from './score.ts';

const item = fc.record({
  kind: fc.constantFrom(...PERFORMANCE_KINDS),
  amount: fc.integer({ min: 1, max: 40 }).map(amount => amount / 4),
});
const weights = fc.record({
  speeding: fc.nat(20),
  harsh: fc.nat(20),
  idling: fc.nat(20),
  hours: fc.nat(20),
  certification: fc.nat(20),
  unidentified: fc.nat(20),
  punctuality: fc.nat(20),
});
const km = fc.integer({ min: 1, max: 20_000 });

describe('[R2.16] the score of a driver', () => {
  it('changes by exactly the weight of what is disputed', () => {
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 60 }), weights, km, fc.nat(), (items, of, driven, pick) => {
        const disputed = pick % items.length;
        const one = items[disputed];
        if (!one) return;
        const all = scoreOf(items, of, driven);
        const without = scoreOf(items.toSpliced(disputed, 1), of, driven);
        expect(all.points - without.points).toBeCloseTo((of[one.kind] * one.amount * 1000) / driven, 6);
        expect(pointsOf(one, of, driven)).toBeCloseTo(all.points - without.points, 6);
        if (all.points <= 100)
          expect((without.score ?? 0) - (all.score ?? 0)).toBeCloseTo(pointsOf(one, of, driven), 6);
        else expect(without.score).toBeGreaterThanOrEqual(all.score ?? 0);
      }),
    );
  });

  it('is 100 less the sum of the points, in a band that is wide for few kilometers', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 60 }), weights, km, (items, of, driven) => {
        const { score, low, high, points } = scoreOf(items, of, driven);
        const sum = items.reduce((total, one) => total + (of[one.kind] * one.amount * 1000) / driven, 0);
        expect(points).toBeCloseTo(sum, 6);
        expect(score).toBeCloseTo(Math.max(0, 100 - sum), 6);
        expect(low).toBeLessThanOrEqual(score ?? 0);
        expect(high).toBeGreaterThanOrEqual(score ?? 0);
        const more = scoreOf([...items, ...items], of, driven * 2);
        expect(more.points).toBeCloseTo(points, 6);
        expect(more.high - more.low).toBeLessThanOrEqual(high - low + 1e-9);
      }),
    );
    expect(scoreOf([], DEFAULT_WEIGHTS, 20)).toMatchObject({ score: 100, low: 0 });
    expect(scoreOf([], DEFAULT_WEIGHTS, 10_000).low).toBeGreaterThan(95);
    expect(scoreOf([], DEFAULT_WEIGHTS, 0)).toEqual({ score: null, low: 0, high: 100, points: 0 });
  });
});
