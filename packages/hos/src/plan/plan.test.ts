import { type EpochMs, epochMs, fromHours, fromMinutes } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { DutyLog, Segment } from '../duty-log.ts';
import { evaluate } from '../evaluate.ts';
import { asDutyLog, readDutyLog } from '../read-duty-log.ts';
import { RULE_SET_IDS } from '../rule-set-id.ts';
import { ruleSets } from '../rule-sets.ts';
import { randomLog } from '../testing/random-logs.ts';
import { type Plan, type PlanOptions, plan } from './plan.ts';
import type { Task } from './step.ts';

// A generous timeout: these tests are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const START = Date.UTC(2026, 1, 2, 12);
const at = (hours: number): EpochMs => epochMs(START + fromHours(hours));
const rested = (): DutyLog => {
  const read = readDutyLog({
    timezone: 'America/Chicago',
    segments: [{ status: 'OFF', start: START, end: START + fromHours(36) }],
  });
  if (!read.ok) throw new Error('not a log');
  return read.value;
};
const drive = (hours: number): Task => ({ activity: 'drive', duration: fromHours(hours) });
const work = (hours: number): Task => ({ activity: 'work', duration: fromHours(hours) });
const planned = (tasks: readonly Task[], options?: PlanOptions): Plan => {
  const found = plan(rested(), ruleSets.US_PROPERTY_70_8, at(36), tasks, options);
  if (!found.ok) throw new Error(JSON.stringify(found.errors));
  return found.value;
};
const shown = ({ segments }: Plan): string =>
  segments.map(({ status, start, end }) => `${status} ${(end - start) / 3_600_000}`).join(', ');

describe('plan', () => {
  it('takes the break after eight hours and no sooner', () =>
    expect(shown(planned([drive(10)]))).toBe('D 8, SB 0.5, D 2'));

  it('lets work be the break', () => expect(shown(planned([drive(8), work(1), drive(2)]))).toBe('D 8, ON 1, D 2'));

  it('counts ten hours of rest as a break, too', () => {
    const found = planned([drive(16)], { sleeper: false });
    expect(shown(found)).toBe('D 8, OFF 10, D 8');
    expect(found.isEarliest).toBe(true);
  });

  it('splits when that is sooner: three hours at a dock count as part of the rest', () => {
    // 5 h driving, 3 h in the berth while loading, 6 h driving, then 7 h in the berth complete the pair.
    const waited = asDutyLog({
      ...rested(),
      segments: [
        ...rested().segments,
        { status: 'D', start: at(36), end: at(41) },
        { status: 'SB', start: at(41), end: at(44) },
        { status: 'D', start: at(44), end: at(50) },
      ],
    });
    const found = plan(waited, ruleSets.US_PROPERTY_70_8, at(50), [drive(5)]);
    expect(found.ok && shown(found.value)).toBe('SB 7, D 5');
    const without = plan(waited, ruleSets.US_PROPERTY_70_8, at(50), [drive(5)], { sleeper: false });
    expect(without.ok && shown(without.value)).toBe('OFF 10, D 5');
  });

  it('finishes the current rest', () => {
    const resting = asDutyLog({
      ...rested(),
      segments: [
        ...rested().segments,
        { status: 'D', start: at(36), end: at(44) },
        { status: 'OFF', start: at(44), end: at(53.5) },
      ],
    });
    const found = plan(resting, ruleSets.US_PROPERTY_70_8, at(53.5), [work(2), drive(6)], { sleeper: false });
    expect(found.ok && shown(found.value)).toBe('OFF 0.5, ON 2, D 6');
  });

  it('waits for the hours that come back tomorrow when the cycle is used up', () => {
    const days: Segment[] = [];
    for (let day = 0; day < 7; day++) {
      days.push({ status: 'ON', start: at(36 + day * 24), end: at(46 + day * 24) });
      days.push({ status: 'OFF', start: at(46 + day * 24), end: at(60 + day * 24) });
    }
    const used = asDutyLog({ ...rested(), segments: [...rested().segments, ...days] });
    const now = at(36 + 6 * 24 + 10);
    const found = plan(used, ruleSets.US_PROPERTY_70_8, now, [drive(5)], { sleeper: false });
    // Day 1's ten hours come back when day 9 begins; 34 hours off would take longer.
    expect(found.ok && found.value.segments[0]?.status).toBe('OFF');
    expect(found.ok && evaluate(used, ruleSets.US_PROPERTY_70_8, now).clocks.cycle.remaining).toBe(0);
    expect(found.ok && (found.value.finish - now) / 3_600_000).toBeLessThan(39);
  });

  it.each<[string, readonly Task[]]>([
    ['no-work', []],
    ['bad-duration', [{ activity: 'drive', duration: fromMinutes(-1) }]],
    ['too-much-work', [drive(400)]],
  ])('answers %s', (code, tasks) =>
    expect(plan(rested(), ruleSets.US_PROPERTY_70_8, at(36), tasks)).toEqual({ ok: false, errors: [{ code }] }),
  );

  it('never plans what the engine would call a violation, and does all the work', () => {
    const tasks = fc.array(
      fc.record({
        activity: fc.constantFrom('drive', 'work'),
        duration: fc.integer({ min: 1, max: 12 * 60 }).map(fromMinutes),
      }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_000_000 }),
        fc.constantFrom(...RULE_SET_IDS),
        tasks,
        fc.boolean(),
        (seed, id, list: readonly Task[], sleeper) => {
          const { log, now } = randomLog(seed);
          const found = plan(log, ruleSets[id], now, list, { sleeper });
          if (!found.ok) throw new Error(JSON.stringify(found.errors));
          const { segments, finish } = found.value;
          const past = log.segments.filter(one => one.start < now);
          const last = past.at(-1);
          if (!last) return;
          const whole = asDutyLog({ ...log, segments: [...past.slice(0, -1), { ...last, end: now }, ...segments] });
          const before = new Set(
            evaluate(log, ruleSets[id], now).violations.map(({ rule, start }) => `${rule} ${start}`),
          );
          for (const { rule, start, end } of evaluate(whole, ruleSets[id], finish).violations) {
            // More rest may change how past driving is judged; the plan itself adds no driving past a limit.
            if (end > now && (rule !== 'CA_10H_OFF' || start > now))
              expect([rule, start, before.has(`${rule} ${start}`)]).toBe(null);
          }
          const done = (status: string): number =>
            segments.reduce((sum, one) => sum + (one.status === status ? one.end - one.start : 0), 0);
          const toDo = (activity: string): number =>
            list.reduce((sum, one) => sum + (one.activity === activity ? one.duration : 0), 0);
          expect([done('D'), done('ON')]).toEqual([toDo('drive'), toDo('work')]);
          expect(segments.at(-1)?.end ?? now).toBe(finish);
          const afoot = sleeper ? plan(log, ruleSets[id], now, list, { sleeper: false }) : found;
          if (found.value.isEarliest && afoot.ok) expect(finish).toBeLessThanOrEqual(afoot.value.finish);
        },
      ),
      { numRuns: 300 },
    );
  });
});
