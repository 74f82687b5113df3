import { describe, expect, it } from 'vitest';
import { FairTurns, type Turn } from './fair-turns.ts';

/** Vehicles are numbered by account: 203 is the third one of account 2. */
const accountOf = (id: number): number => Math.floor(id / 100);
const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, nth) => from + nth);
const ofAccount = (turns: readonly Turn[], account: number): number =>
  turns.filter(({ id }) => accountOf(id) === account).reduce((sum, { limit }) => sum + limit, 0);

describe('turns of vehicles that are behind', () => {
  it('are shared alike by accounts, however many vehicles each has, and by the vehicles of one', () => {
    const turns = new FairTurns(accountOf).next([...range(100, 80), 200, ...range(300, 3)], 20, 600);
    expect(turns).toHaveLength(20);
    expect([ofAccount(turns, 2), ofAccount(turns, 3)]).toEqual([200, 201]);
    expect(ofAccount(turns, 1)).toBeGreaterThanOrEqual(200);
    expect(ofAccount(turns, 1)).toBeLessThan(220);
    expect(new Set(turns.filter(({ id }) => accountOf(id) === 3).map(({ limit }) => limit)).size).toBe(1);
  });

  it('go to all of an account, one after the other', () => {
    const fair = new FairTurns(accountOf);
    const waiting = [...range(100, 90), 200];
    const had = new Set(range(0, 9).flatMap(() => fair.next(waiting, 11, 600).map(({ id }) => id)));
    expect(had).toEqual(new Set(waiting));
  });

  it('go to all accounts, also if there are more than can be read at once', () => {
    const fair = new FairTurns(accountOf);
    const waiting = range(1, 30).map(account => account * 100);
    const had = new Set(range(0, 3).flatMap(() => fair.next(waiting, 10, 600).map(({ id }) => id)));
    expect(had).toEqual(new Set(waiting));
  });

  it('are nobody’s if nobody waits', () => expect(new FairTurns(accountOf).next([], 10, 600)).toEqual([]));
});
