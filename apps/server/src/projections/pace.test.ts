import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Backlog, Pace, partOfPast, shareOf, shareOfPast, workOf } from './pace.ts';

const SECOND = 1000;

describe('[R7.37] projections share the thread with trackers', () => {
  it('take a twentieth where there is room, a hundredth under full load, and up to nine tenths if they are behind', () => {
    expect([0, 0.5, 0.8, 0.9, 0.96, 1].map(used => shareOf(used, 0))).toEqual(
      [0.05, 0.05, 0.05, 0.025, 0.01, 0.01].map(share => expect.closeTo(share, 6)),
    );
    expect([0, 20, 30, 40, 60, 180, 300, 3000].map(behind => shareOf(1, behind * SECOND))).toEqual(
      [0.01, 0.01, 0.125, 0.25, 0.5, 0.7, 0.9, 0.9].map(share => expect.closeTo(share, 6)),
    );
  });

  it('count the past with a quarter of what is left, which gives way to trackers and to positions that have waited', () => {
    const ofPast = (used: number, waited: number, behind: number) =>
      shareOfPast(used, waited * SECOND) * partOfPast(behind * SECOND);
    expect([0, 0.5, 0.96, 1].map(used => ofPast(used, 0, 0))).toEqual(
      [0.25, 0.125, 0.01, 0.005].map(share => expect.closeTo(share, 6)),
    );
    expect([60, 330, 600].map(waited => ofPast(1, waited, 0))).toEqual(
      [0.005, 0.125, 0.25].map(share => expect.closeTo(share, 6)),
    );
    expect(ofPast(1, 0, 21)).toBeCloseTo(0.001, 6);
    // Both together never take more than the new may alone, and the past no more than a twentieth then.
    const ofNew = (behind: number) => shareOf(1, behind * SECOND) * (1 - partOfPast(behind * SECOND));
    expect(ofNew(60) + ofPast(1, 600, 60)).toBeCloseTo(0.5, 6);
    expect([ofNew(300), ofPast(1, 600, 300)]).toEqual([expect.closeTo(0.81, 6), expect.closeTo(0.05, 6)]);
  });

  it('look at a few positions soon, however long the database and others keep them waiting', () => {
    expect(workOf(900, 40)).toBe(19);
    expect(workOf(8, 40)).toBe(8);
    expect(workOf(900, 4000)).toBe(415);
  });

  it('rest as long as they have worked, times what others may use, and not longer once positions have waited', async () => {
    let behindMs = 0;
    const pace = new Pace(used => shareOf(used, behindMs));
    const rested = async (workedMs: number, atLeastMs?: number) => {
      const began = performance.now();
      await pace.rest(workedMs, atLeastMs);
      return performance.now() - began;
    };
    expect(await rested(10)).toBeGreaterThan(180);
    expect(await rested(0, 50)).toBeGreaterThan(48);
    behindMs = 60 * SECOND;
    expect(await rested(100)).toBeLessThan(180);
    // It began to rest before anything waited.
    behindMs = 0;
    const rest = rested(500);
    await sleep(100);
    behindMs = 60 * SECOND;
    expect(await rest).toBeLessThan(2 * SECOND);
    behindMs = 0;
    const last = rested(5000);
    pace.stop();
    expect(await last).toBeLessThan(SECOND);
  });

  it('know how long the oldest position has waited', () => {
    const backlog = new Backlog();
    expect(backlog.behindMs(5000)).toBe(0);
    backlog.more(1, 100, 300, 10_000);
    backlog.more(2, 100, 101, 10_000);
    // The first is not yet where it was to go; the second is, and more has come meanwhile.
    backlog.more(1, 200, 900, 12_000);
    backlog.more(2, 150, 190, 12_000);
    expect([backlog.size, backlog.behindMs(15_000)]).toEqual([2, 5000]);
    backlog.more(2, 195, 250, 14_000);
    backlog.none(1);
    expect(backlog.behindMs(15_000)).toBe(3000);
    backlog.only(new Set([1]));
    expect([backlog.size, backlog.behindMs(15_000)]).toEqual([0, 0]);
  });
});
