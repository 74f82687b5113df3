import { expect, it } from 'vitest';
import { Corrections } from './corrections.ts';

/** The processor time of a backlog's corrections: 150 positions a second, each costs 25 µs whenever it is folded. */
function workOf(positions: number): { readonly workMs: number; readonly endMs: number } {
  const corrections = new Corrections();
  let [nowMs, workMs, folded] = [0, 0, 0];
  while (folded < positions) {
    nowMs += 1000;
    const come = Math.min(positions, Math.floor(nowMs * 0.15));
    if (come === folded || corrections.rests(7, nowMs)) continue;
    const tookMs = come * 0.025;
    nowMs += tookMs;
    workMs += tookMs;
    folded = come;
    corrections.corrected(7, tookMs, nowMs);
  }
  return { workMs, endMs: nowMs };
}

it('[R2.14] corrects a log at a cost that grows with a backlog’s length, not with its square', () => {
  const [day, week] = [workOf(8640), workOf(7 * 8640)];
  expect(week.workMs / day.workMs).toBeLessThan(10);
  expect(week.workMs / week.endMs).toBeLessThan(0.04);
  // As soon as it was sent.
  expect(day.endMs).toBeLessThan((8640 / 150) * 1000 + 10_000);
});

it('waits only for the vehicle, and at most a minute', () => {
  const corrections = new Corrections();
  expect(corrections.rests(7, 0)).toBe(false);
  corrections.corrected(7, 10_000, 0);
  expect([corrections.rests(8, 1), corrections.rests(7, 59_999), corrections.rests(7, 60_000)]).toEqual([
    false,
    true,
    false,
  ]);
});
