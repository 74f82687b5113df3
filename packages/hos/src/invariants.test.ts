import { type EpochMs, epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { DutyLog, Segment } from './duty-log.ts';
import { MOST_AHEAD } from './engine/ahead.ts';
import { evaluate } from './evaluate.ts';
import type { Clocks, Evaluation } from './evaluation.ts';
import { asDutyLog } from './read-duty-log.ts';
import { RULE_SET_IDS } from './rule-set-id.ts';
import { ruleSets } from './rule-sets.ts';
import { ACTIVITY_OF } from './status.ts';
import { randomLog } from './testing/random-logs.ts';

// A generous timeout: these tests are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const logs = fc.integer({ min: 0, max: 1_000_000 }).map(seed => ({ seed, ...randomLog(seed) }));
const rules = fc.constantFrom(...RULE_SET_IDS.map(id => ruleSets[id]));
const RUNS = { numRuns: 250 };

const withSegments = (log: DutyLog, segments: readonly Segment[]): DutyLog => asDutyLog({ ...log, segments });
/** Without the evidence, which contains the log's own segments. */
const bare = (evaluation: Evaluation): object => ({
  ...evaluation,
  violations: evaluation.violations.map(({ segments: _, ...violation }) => violation),
});
const clockList = (clocks: Clocks) => Object.values(clocks).filter(clock => clock !== null);

describe('invariants', () => {
  it('clocks never go below 0, and used plus remaining is the limit', () =>
    fc.assert(
      fc.property(logs, rules, ({ log, now }, ruleSet) => {
        for (const { limit, used, remaining } of clockList(evaluate(log, ruleSet, now).clocks)) {
          expect(remaining).toBeGreaterThanOrEqual(0);
          expect(used).toBeGreaterThanOrEqual(0);
          if (used <= limit && limit < Number.POSITIVE_INFINITY) expect(used + remaining).toBe(limit);
        }
      }),
      RUNS,
    ));

  it('a log moved by a week gives the same results a week later', () =>
    fc.assert(
      fc.property(logs, rules, fc.integer({ min: 1, max: 8 }), ({ log, now }, ruleSet, weeks) => {
        // A zone without daylight saving time, so that no clock change falls between the two.
        const still: DutyLog = asDutyLog({ ...log, terminal: { ...log.terminal, timeZone: 'America/Phoenix' } });
        const shift = <Time extends EpochMs>(at: Time): EpochMs => epochMs(at + weeks * 7 * 86_400_000);
        const moved = asDutyLog({
          ...still,
          segments: still.segments.map(one => ({ ...one, start: shift(one.start), end: shift(one.end) })),
          declarations: still.declarations.map(one => ({
            ...one,
            start: shift(one.start),
            end: one.end && shift(one.end),
          })),
        });
        const [before, after] = [evaluate(still, ruleSet, now), evaluate(moved, ruleSet, shift(now))];
        expect(after.clocks).toEqual(before.clocks);
        expect(after.next.driving).toBe(before.next.driving);
        expect(after.violations.map(({ rule, start, over }) => ({ rule, start, over }))).toEqual(
          before.violations.map(({ rule, start, over }) => ({ rule, start: shift(start), over })),
        );
      }),
      RUNS,
    ));

  it('a segment cut in two, and equal neighbors merged, change nothing', () =>
    fc.assert(
      fc.property(logs, rules, fc.double({ min: 0, max: 1, noNaN: true }), ({ log, now }, ruleSet, where) => {
        const cut = log.segments.flatMap(({ status, start, end }): Segment[] => {
          const middle = epochMs(Math.floor(start + (end - start) * where));
          return middle > start && middle < end
            ? [
                { status, start, end: middle },
                { status, start: middle, end },
              ]
            : [{ status, start, end }];
        });
        const merged: Segment[] = [];
        for (const one of log.segments) {
          const last = merged.at(-1);
          if (last?.status === one.status) merged[merged.length - 1] = { ...last, end: one.end };
          else merged.push(one);
        }
        const whole = bare(evaluate(log, ruleSet, now));
        expect(bare(evaluate(withSegments(log, cut), ruleSet, now))).toEqual(whole);
        expect(bare(evaluate(withSegments(log, merged), ruleSet, now))).toEqual(whole);
      }),
      RUNS,
    ));

  /**
   * Adding rest later can only help: it may complete a pair, so that looking back finds less driving past a limit
   * (us-split-06), never more. The exception is daily time off (Canada s. 14), judged when the day is over.
   */
  it('more rest never makes past driving worse', () =>
    fc.assert(
      fc.property(
        logs,
        rules,
        fc.integer({ min: 1, max: 40 * 60 }),
        fc.constantFrom('OFF', 'SB', 'PC'),
        ({ log, now }, ruleSet, minutes, status) => {
          const before = evaluate(log, ruleSet, now);
          const later = epochMs(now + minutes * 60_000);
          const segments = log.segments.filter(one => one.start < now).map(one => ({ ...one }));
          const last = segments.at(-1);
          if (!last) return;
          const rested = [
            ...segments.slice(0, -1),
            { ...last, end: now },
            { status, start: now, end: later } as Segment,
          ];
          const after = evaluate(withSegments(log, rested), ruleSet, later);
          expect(drivingPast(after)).toBeLessThanOrEqual(drivingPast(before));
        },
      ),
      RUNS,
    ));

  it('driving up to “must stop by” adds no violation, and one minute more adds one', () =>
    fc.assert(
      fc.property(logs, rules, ({ log, now }, ruleSet) => {
        const { next, violations } = evaluate(log, ruleSet, now);
        // Under an exemption without an end, nothing ends the driving.
        if (next.mustStopBy === null || next.driving === MOST_AHEAD) return;
        const segments = log.segments.filter(one => one.start < now);
        const last = segments.at(-1);
        if (!last) return;
        const driven = (end: EpochMs) =>
          evaluate(
            withSegments(log, [...segments.slice(0, -1), { ...last, end: now }, { status: 'D', start: now, end }]),
            ruleSet,
            end,
          );
        const past = (evaluation: Evaluation): number =>
          evaluation.violations.filter(({ end }) => end > now && isOfDriving(evaluation, end)).length;
        const known = violations.filter(({ end }) => end > now).length;
        expect(past(driven(next.mustStopBy))).toBe(known);
        expect(past(driven(epochMs(next.mustStopBy + 60_000)))).toBeGreaterThan(known);
      }),
      RUNS,
    ));

  it('“may drive again” is the first minute at which driving is legal after resting', () =>
    fc.assert(
      fc.property(logs, rules, ({ log, now }, ruleSet) => {
        const { next, status } = evaluate(log, ruleSet, now);
        if (next.mayDriveAgainAt === null) return;
        const resting = status === 'SB' ? 'SB' : 'OFF';
        const segments = log.segments.filter(one => one.start < now);
        const last = segments.at(-1);
        if (!last) return;
        const rested = (end: EpochMs) =>
          evaluate(
            withSegments(log, [...segments.slice(0, -1), { ...last, end: now }, { status: resting, start: now, end }]),
            ruleSet,
            end,
          ).next.driving;
        expect(rested(next.mayDriveAgainAt)).toBeGreaterThan(0);
        if (next.mayDriveAgainAt - 60_000 > now) expect(rested(epochMs(next.mayDriveAgainAt - 60_000))).toBe(0);
      }),
      RUNS,
    ));

  it('the violations’ evidence comes from the log and contains the driving past the limit', () =>
    fc.assert(
      fc.property(logs, rules, ({ log, now }, ruleSet) => {
        for (const { rule, start, end, countedFrom, segments, over } of evaluate(log, ruleSet, now).violations) {
          expect(countedFrom).toBeLessThanOrEqual(start);
          expect(over).toBeLessThanOrEqual(end - start);
          if (rule === 'CA_10H_OFF') continue;
          expect(
            segments.some(one => ACTIVITY_OF[one.status] === 'drive' && one.start <= start && one.end > start),
          ).toBe(true);
        }
      }),
      RUNS,
    ));
});

const isOfDriving = ({ violations }: Evaluation, end: EpochMs): boolean =>
  violations.some(one => one.end === end && one.rule !== 'CA_10H_OFF');

const drivingPast = ({ violations }: Evaluation): number =>
  violations.filter(({ rule }) => rule !== 'CA_10H_OFF').reduce((sum, { over }) => sum + over, 0);
