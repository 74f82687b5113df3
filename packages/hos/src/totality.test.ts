import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { advance, rulesFor, stateBefore } from './engine/state.ts';
import { evaluate } from './evaluate.ts';
import { EXCEPTIONS } from './exception.ts';
import { plan } from './plan/plan.ts';
import { readDutyLog } from './read-duty-log.ts';
import { RULE_SET_IDS } from './rule-set-id.ts';
import { ruleSets } from './rule-sets.ts';
import { DUTY_STATUSES } from './status.ts';
import { randomNumbers } from './testing/random-logs.ts';

// A generous timeout: these tests are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const START = Date.UTC(2026, 1, 20);
const MINUTE = 60_000;
const lengths = fc.oneof(
  fc.constantFrom(1, 999, 120 * MINUTE, 420 * MINUTE, 600 * MINUTE, 2040 * MINUTE, 40 * 1440 * MINUTE),
  fc.integer({ min: 1, max: 700 * MINUTE }),
);

const rawLogs = fc
  .record({
    timezone: fc.constantFrom('America/Chicago', 'Europe/London', 'Asia/Kathmandu', 'Pacific/Apia', 'UTC'),
    hour: fc.constantFrom('00:00', '02:30', '23:59'),
    pieces: fc.array(fc.tuple(fc.constantFrom(...DUTY_STATUSES), lengths), { minLength: 1, maxLength: 40 }),
    declared: fc.array(fc.tuple(fc.constantFrom(...EXCEPTIONS), fc.nat(20_000), fc.integer({ min: 1, max: 9000 })), {
      maxLength: 5,
    }),
  })
  .map(({ timezone, hour, pieces, declared }) => {
    let at = START;
    const segments = pieces.map(([status, length]) => {
      const start = at;
      at += length;
      return { status, start, end: at };
    });
    const declarations = declared.map(([exception, start, length]) => ({
      exception,
      start: START + start * MINUTE,
      end: START + (start + length) * MINUTE,
    }));
    return { timezone, homeTerminalStartOfDay: hour, segments, declarations };
  });

describe('[I3] the engine evaluates every log', () => {
  it('at any instant, with valid clocks and evidence', () =>
    fc.assert(
      fc.property(
        rawLogs,
        fc.constantFrom(...RULE_SET_IDS),
        fc.integer({ min: -3 * 1440, max: 60 * 1440 }),
        (raw, id, after) => {
          const log = readDutyLog(raw);
          if (!log.ok) throw new Error(JSON.stringify(log.errors));
          const now = epochMs(START + after * MINUTE);
          const { clocks, next, violations, recap } = evaluate(log.value, ruleSets[id], now);
          for (const clock of Object.values(clocks)) if (clock) expect(clock.remaining).toBeGreaterThanOrEqual(0);
          if (next.mustStopBy !== null) expect(next.mustStopBy).toBe(now + next.driving);
          if (next.mayDriveAgainAt !== null) expect(next.mayDriveAgainAt).toBeGreaterThanOrEqual(now);
          expect(recap.days).toHaveLength(ruleSets[id].cycle.days);
          for (const { start, end, over } of violations) {
            expect(start).toBeLessThan(end);
            expect(end).toBeLessThanOrEqual(now);
            expect(over).toBeGreaterThan(0);
          }
        },
      ),
      { numRuns: 1500 },
    ));

  it('and plans for it', () =>
    fc.assert(
      fc.property(rawLogs, fc.constantFrom(...RULE_SET_IDS), fc.integer(), (raw, id, duration) => {
        const log = readDutyLog(raw);
        if (!log.ok) throw new Error(JSON.stringify(log.errors));
        const now = epochMs(START + 5 * 1440 * MINUTE);
        const tasks = [{ activity: 'drive', duration: duration as never } as const];
        const found = plan(log.value, ruleSets[id], now, tasks);
        if (found.ok) expect(found.value.finish).toBeGreaterThan(now);
        else expect(found.errors).toHaveLength(1);
      }),
      { numRuns: 150 },
    ));

  it('in bounded time: three thousand rests without a full one between them', () => {
    const random = randomNumbers(7);
    const log = { terminal: { timeZone: 'America/Chicago', startOfDay: 0 }, segments: [], declarations: [] };
    const rules = rulesFor(log, ruleSets.US_PROPERTY_70_8);
    let state = stateBefore(epochMs(START), rules);
    let most = 0;
    for (let at = START, rest = 0; rest < 3000; rest++) {
      at += Math.floor(1 + random() * 300) * MINUTE;
      state = advance(state, rules, 'D', epochMs(at));
      at += Math.floor(120 + random() * 475) * MINUTE;
      state = advance(state, rules, 'SB', epochMs(at));
      most = Math.max(most, state.shift.counts.length);
    }
    expect(most).toBeLessThanOrEqual(96);
  });
});
