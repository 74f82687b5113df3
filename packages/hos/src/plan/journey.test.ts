import { type EpochMs, epochMs, fromHours, fromMinutes, milliseconds } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { DutyLog, Segment } from '../duty-log.ts';
import { asDutyLog, readDutyLog } from '../read-duty-log.ts';
import { RULE_SET_IDS, type RuleSetId } from '../rule-set-id.ts';
import { ruleSets } from '../rule-sets.ts';
import { exempted } from '../testing/brute-declared.ts';
import { bruteForce } from '../testing/brute-force.ts';
import { BRUTE_LIMITS } from '../testing/brute-limits.ts';
import { toMinutes } from '../testing/minutes.ts';
import { randomLog, randomNumbers } from '../testing/random-logs.ts';
import { forcedRests, isInTime, type JourneyStop, journey, lastDeparture } from './journey.ts';

// A generous timeout: these tests are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const MINUTE = 60_000;
const START = Date.UTC(2026, 1, 2, 12);
const at = (hours: number): EpochMs => epochMs(START + fromHours(hours));
const us = ruleSets.US_PROPERTY_70_8;

/** 36 hours off, then these, each with its hours. */
function logOf(...then: readonly (readonly [Segment['status'], number])[]): DutyLog {
  let hours = 36;
  const segments: Segment[] = [{ status: 'OFF', start: at(0), end: at(36) }];
  for (const [status, length] of then) {
    segments.push({ status, start: at(hours), end: at(hours + length) });
    hours += length;
  }
  const read = readDutyLog({ timezone: 'America/Chicago', segments });
  if (!read.ok) throw new Error('not a log');
  return read.value;
}
const stop = (driving: number, by: number | null, { from = null as number | null, work = 0 } = {}): JourneyStop => ({
  driving: fromHours(driving),
  from: from === null ? null : at(from),
  by: by === null ? null : at(by),
  work: fromHours(work),
});
const hours = (ms: number): number => (ms - START) / 3_600_000;

describe('a journey', () => {
  it('leaves as late as its window allows when the driver is rested', () => {
    const log = logOf();
    expect(journey(log, us, at(36), [stop(2, 44)])).toMatchObject({ fits: true, arrivals: [at(38)] });
    expect(lastDeparture(log, us, at(36), [stop(2, 44)])).toEqual({ at: at(42), limit: 'time' });
  });

  it('leaves before the 14 hours are over when these end first', () => {
    // On duty for 10 hours: the window ends at 50; a drive of 3 hours has to begin at 47, though 52 is early enough.
    const log = logOf(['ON', 10]);
    expect(lastDeparture(log, us, at(46), [stop(3, 52)])).toEqual({ at: at(47), limit: 'window' });
    const late = lastDeparture(log, us, at(46), [stop(3, 55)]);
    expect(late).toEqual({ at: at(47), limit: 'window' });
  });

  it('says what stops a driver who is out of driving time', () => {
    const log = logOf(['D', 6], ['OFF', 0.5], ['D', 4]);
    const found = journey(log, us, at(46.5), [stop(1.75, 49)], { sleeper: false });
    expect(found?.fits).toBe(false);
    expect(isInTime([stop(1.75, 49)], at(46.5))).toBe(true);
    expect(found && forcedRests(found, us, at(46.5))).toEqual([
      {
        ...{ at: at(47.5), length: fromHours(10), missing: fromHours(0.75), binds: 'drive' },
      },
    ]);
  });

  it('says when a break comes first', () => {
    const found = journey(logOf(['D', 8]), us, at(44), [stop(1, 45.25)]);
    expect(found && forcedRests(found, us, at(44))).toMatchObject([
      {
        at: at(44),
        length: fromMinutes(30),
        binds: 'break',
      },
    ]);
  });

  it('does the stops in their order, waits for their windows and works at them', () => {
    const found = journey(logOf(), us, at(36), [stop(1, 40, { from: 39, work: 1 }), stop(2, 43), stop(0, null)]);
    expect(found?.arrivals.map(hours)).toEqual([37, 42, 42]);
    expect(found?.segments.map(({ status, start, end }) => [status, (end - start) / 3_600_000])).toEqual([
      ...[
        ['D', 1],
        ['OFF', 2],
        ['ON', 1],
        ['D', 2],
      ],
    ]);
    expect(found?.fits).toBe(true);
  });
});

interface Case {
  readonly log: DutyLog;
  readonly id: RuleSetId;
  readonly now: EpochMs;
}
const cases = fc
  .record({ seed: fc.nat(1_000_000), id: fc.constantFrom(...RULE_SET_IDS) })
  .map(({ seed, id }): Case => ({ ...randomLog(seed), id }));

/** Past, then these; the log's last status lasts until now. */
function followed({ log, now }: Case, segments: readonly Segment[]): DutyLog {
  const past = log.segments.filter(one => one.start < now);
  const last = past.at(-1);
  return asDutyLog({
    ...log,
    segments: [...past.slice(0, -1), ...(last ? [{ ...last, end: now }] : []), ...segments].filter(
      one => one.end > one.start,
    ),
  });
}

/**
 * Whether driving these segments breaks a rule, as the evaluator that checks each minute says: the last minute of each
 * drive is legal if every clock had a minute left before it, and all before it are then legal, too.
 */
function breaksLaw(random: Case, segments: readonly Segment[]): boolean {
  const whole = followed(random, segments);
  const limits = BRUTE_LIMITS[random.id];
  const begun = (random.now - (whole.segments[0]?.start ?? random.now)) / MINUTE;
  for (const { status, end } of segments) {
    if (status !== 'D') continue;
    // Under an exemption, the clocks don't tell what is legal.
    if (exempted(toMinutes(whole, end), limits).exempt.at(-1)) continue;
    const { drive, window, onDuty, break: pause, cycle } = bruteForce(toMinutes(whole, epochMs(end - MINUTE)), limits);
    if ([drive, window, onDuty, pause, cycle].some(left => left !== null && left < 1)) return true;
  }
  const end = segments.at(-1)?.end ?? random.now;
  const before = bruteForce(toMinutes(random.log, random.now), limits).violations;
  return bruteForce(toMinutes(whole, end), limits).violations.some(
    one => one.start >= begun && !before.some(({ rule, start }) => rule === one.rule && start === one.start),
  );
}

describe('against the evaluator that checks every minute', () => {
  const fitting = (numRuns: number): void => {
    const stops = fc.array(
      fc.record({
        driving: fc.integer({ min: 0, max: 500 }),
        work: fc.integer({ min: 0, max: 90 }),
        by: fc.option(fc.integer({ min: 30, max: 2000 })),
        wait: fc.option(fc.integer({ min: 0, max: 700 })),
      }),
      { minLength: 1, maxLength: 3 },
    );
    let departures = 0;
    fc.assert(
      fc.property(cases, stops, fc.boolean(), (random, list, sleeper) => {
        const { log, now, id } = random;
        const planned = list.map(
          ({ driving, work, by, wait }): JourneyStop => ({
            driving: fromMinutes(driving),
            work: fromMinutes(work),
            from: wait === null ? null : epochMs(now + wait * MINUTE),
            by: by === null ? null : epochMs(now + by * MINUTE),
          }),
        );
        const found = journey(log, ruleSets[id], now, planned, { sleeper });
        if (!found) return;
        expect(breaksLaw(random, found.segments)).toBe(false);
        const departure = lastDeparture(log, ruleSets[id], now, planned, { sleeper });
        expect(departure === null).toBe(!found.fits || planned.every(({ by }) => by === null));
        if (!departure || departure.at <= now) return;
        departures++;
        const waits: Segment = { status: restAt(random), start: now, end: departure.at };
        const waited = followed(random, [waits]);
        const last = journey(waited, ruleSets[id], departure.at, planned, { sleeper, since: now });
        expect(last?.fits).toBe(true);
        expect(breaksLaw(random, [waits, ...(last?.segments ?? [])])).toBe(false);
      }),
      { numRuns },
    );
    expect(departures).toBeGreaterThan(numRuns / 8);
  };
  it('a journey that fits breaks no rule when it is driven, also when it begins at the last moment', () => fitting(50));
  it(
    'a journey that fits breaks no rule when it is driven, also when it begins at the last moment (many cases)',
    { tags: 'long' },
    () => fitting(150),
  );

  const late = (numRuns: number): void => {
    let lateOnes = 0;
    const tried = fc.record({ driving: fc.integer({ min: 30, max: 700 }), slack: fc.integer({ min: 0, max: 620 }) });
    fc.assert(
      fc.property(cases, tried, fc.nat(1_000_000), (random, { driving, slack }, seed) => {
        const { log, now, id } = random;
        const by = epochMs(now + (driving + slack) * MINUTE);
        const found = journey(log, ruleSets[id], now, [
          { driving: fromMinutes(driving), from: null, by, work: milliseconds(0) },
        ]);
        if (!found || found.fits || !found.isEarliest) return;
        lateOnes++;
        const numbers = randomNumbers(seed);
        for (let i = 0; i < 12; i++) {
          expect(breaksLaw(random, arrangement(now, driving, slack, numbers, i))).toBe(true);
        }
      }),
      { numRuns },
    );
    expect(lateOnes).toBeGreaterThan(numRuns / 7);
  };
  it('a stop that only the hours make late can’t be reached by any arrangement of rests', () => late(80));
  it(
    'a stop that only the hours make late can’t be reached by any arrangement of rests (many cases)',
    { tags: 'long' },
    () => late(250),
  );
});

const restAt = ({ log, now }: Case): 'SB' | 'OFF' =>
  log.segments.findLast(({ start }) => start <= now)?.status === 'SB' ? 'SB' : 'OFF';

/** The drive cut by up to three rests that take no more than the slack. */
function arrangement(now: EpochMs, driving: number, slack: number, random: () => number, kind: number): Segment[] {
  const pieces = kind < 2 ? 1 : 1 + Math.floor(random() * 3);
  const cuts = Array.from({ length: pieces }, () => (kind < 2 ? 0 : Math.floor(random() * driving))).sort(
    (a, b) => a - b,
  );
  const shares = Array.from({ length: pieces }, () => (kind < 2 ? 1 : random()));
  const total = Math.max(
    1,
    shares.reduce((sum, one) => sum + one, 0),
  );
  const segments: Segment[] = [];
  let [at, driven] = [now as number, 0];
  const add = (status: Segment['status'], minutes: number): void => {
    if (minutes <= 0) return;
    segments.push({ status, start: epochMs(at), end: epochMs(at + minutes * MINUTE) });
    at += minutes * MINUTE;
  };
  for (const [i, cut] of cuts.entries()) {
    add('D', cut - driven);
    driven = cut;
    add((kind < 2 ? kind === 0 : random() < 0.5) ? 'SB' : 'OFF', Math.floor((slack * (shares[i] ?? 0)) / total));
  }
  add('D', driving - driven);
  return segments;
}
