import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { RULE_SET_IDS, type RuleSetId } from './rule-set-id.ts';
import { ruleSets } from './rule-sets.ts';
import { type BruteResult, bruteForce } from './testing/brute-force.ts';
import { BRUTE_LIMITS } from './testing/brute-limits.ts';
import { toMinutes } from './testing/minutes.ts';
import { type RandomLog, randomLog } from './testing/random-logs.ts';

/**
 * 10,000 random logs, some with days of 23 or 25 hours or unusual day starts; `npm test` runs the first 300. Each
 * log is checked under some of the rule sets in turn, or under all with PROPERTY_SEED=random. A failure names
 * the seed: `randomLog(seed)` recreates the log.
 */
const isExhaustive = process.env.PROPERTY_SEED === 'random';
const ruleSetsFor = (seed: number): readonly RuleSetId[] =>
  isExhaustive ? RULE_SET_IDS : RULE_SET_IDS.filter((_, index) => index % 3 === seed % 3);
const FEW: readonly [from: number, to: number] = [0, 300];
const MANY = Array.from({ length: 10 }, (_, index) => [index * 1000, (index + 1) * 1000] as const);

const inMinutes = (milliseconds: number | undefined): number | null =>
  milliseconds === undefined ? null : milliseconds / 60_000;

function judged({ log, now }: RandomLog, id: RuleSetId): BruteResult {
  const { clocks, violations } = evaluate(log, ruleSets[id], now);
  const first = log.segments[0]?.start ?? now;
  return {
    drive: clocks.drive.remaining / 60_000,
    window: clocks.window.remaining / 60_000,
    onDuty: inMinutes(clocks.onDuty?.remaining),
    break: inMinutes(clocks.break?.remaining),
    cycle: clocks.cycle.remaining / 60_000,
    violations: violations.map(({ rule, start, over }) => ({
      rule,
      start: (start - first) / 60_000,
      over: over / 60_000,
    })),
  };
}

const CLOCKS = ['drive', 'window', 'onDuty', 'break', 'cycle'] as const;

/** Faster than `toEqual`, which then prints the difference if there is one. */
const isSame = (a: BruteResult, b: BruteResult): boolean =>
  CLOCKS.every(clock => a[clock] === b[clock]) &&
  a.violations.length === b.violations.length &&
  a.violations.every((one, index) => {
    const other = b.violations[index];
    return one.rule === other?.rule && one.start === other.start && one.over === other.over;
  });

describe('brute force, minute by minute and over all pairings, agrees with the engine', () => {
  const agree = (from: number, to: number): void => {
    for (let seed = from; seed < to; seed++) {
      const random = randomLog(seed);
      const minutes = toMinutes(random.log, random.now);
      for (const id of ruleSetsFor(seed)) {
        const [engine, brute] = [judged(random, id), bruteForce(minutes, BRUTE_LIMITS[id])];
        if (!isSame(engine, brute)) expect({ seed, id, ...engine }).toEqual({ seed, id, ...brute });
      }
    }
  };
  const title = 'on the random logs from %i to %i';
  it.each([FEW])(title, { timeout: 600_000 }, agree);
  it.each(MANY)(title, { timeout: 600_000, tags: 'long' }, agree);
});
