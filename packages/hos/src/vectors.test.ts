import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import { readTime } from './raw-values.ts';
import { readDutyLog } from './read-duty-log.ts';
import type { RuleSetId } from './rule-set-id.ts';
import { ruleSets, withoutTrust } from './rule-sets.ts';
import { answerVector } from './vector.ts';

/** Duty logs with expected clocks and violations; the file may be absent. */
const FILE = new URL('../../../../shared/fixtures/hos-vectors.json', import.meta.url);
const present = existsSync(FILE);
if (!present) console.warn('The hours-of-service vectors are not beside this checkout: their tests are skipped.');

interface Expected {
  readonly driveRemainingMin: number | null;
  readonly windowRemainingMin: number | null;
  readonly breakRemainingMin: number | null;
  readonly cycleRemainingMin: number | null;
  readonly onDutyRemainingMin?: number | null;
  readonly violations: readonly { readonly rule: string; readonly startsAt: string }[];
}

interface ExpectedVector {
  readonly id: string;
  readonly ruleset: RuleSetId;
  readonly asOf: string;
  readonly expected: Expected;
  readonly expectedIfLoneSleeperCounts?: Pick<Expected, 'driveRemainingMin' | 'windowRemainingMin' | 'violations'>;
}

const vectors: readonly ExpectedVector[] = present
  ? (JSON.parse(readFileSync(FILE, 'utf8')) as { vectors: ExpectedVector[] }).vectors
  : [];

const instants = (violations: Expected['violations']) =>
  violations.map(({ rule, startsAt }) => ({ rule, startsAt: Date.parse(startsAt) }));

describe.skipIf(!present)('the vectors of hours of service', () => {
  it.each(vectors)('$id', vector => {
    const answer = answerVector(vector);
    if (!answer.ok) throw new Error(JSON.stringify(answer.errors));
    const { violations, ...clocks } = vector.expected;
    expect(answer.value).toMatchObject(clocks);
    expect(instants(answer.value.violations)).toEqual(instants(violations));
  });

  it.each(vectors.filter(vector => vector.expectedIfLoneSleeperCounts))('$id, read strictly', vector => {
    const [log, asOf] = [readDutyLog(vector), readTime(vector.asOf)];
    if (!log.ok || asOf === null || !vector.expectedIfLoneSleeperCounts) throw new Error('not a vector');
    const { clocks, violations } = evaluate(log.value, withoutTrust(ruleSets[vector.ruleset]), asOf);
    const { driveRemainingMin, windowRemainingMin, violations: expected } = vector.expectedIfLoneSleeperCounts;
    expect([clocks.drive.remaining / 60_000, clocks.window.remaining / 60_000]).toEqual([
      driveRemainingMin,
      windowRemainingMin,
    ]);
    expect(violations.map(({ rule, start }) => ({ rule, startsAt: start }))).toEqual(instants(expected));
  });
});
