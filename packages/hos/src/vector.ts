import { type EpochMs, type Milliseconds, toMinutes } from '@milepost/units';
import { evaluate } from './evaluate.ts';
import type { Clock, Evaluation, Severity } from './evaluation.ts';
import type { ExemptionName } from './exception.ts';
import type { RawLog } from './raw-log.ts';
import { isObject, readTime } from './raw-values.ts';
import { readDutyLog } from './read-duty-log.ts';
import { failure, type Result, success } from './result.ts';
import { isRuleSetId, type RuleSetId } from './rule-set-id.ts';
import { ruleSets } from './rule-sets.ts';
import { toLocalIso, type Zone, zoneNamed } from './zone.ts';

/** A question as `npm run hos` and `POST /api/v1/eld/evaluate` accept it: a raw log, a rule set and an instant. */
export interface Vector extends RawLog {
  readonly id?: string;
  readonly ruleset: RuleSetId;
  /** ISO 8601 with an offset, or milliseconds. */
  readonly asOf: string | number;
}

/** Whole minutes, rounded down, never below 0; null where the rule set has no such rule. */
export interface VectorAnswer {
  readonly id: string | null;
  readonly driveRemainingMin: number | null;
  readonly windowRemainingMin: number | null;
  readonly breakRemainingMin: number | null;
  readonly cycleRemainingMin: number | null;
  /** Only where the rule set limits on-duty time besides the window. */
  readonly onDutyRemainingMin?: number | null;
  /** Instants with the home terminal's offset. */
  readonly mustStopBy: string | null;
  readonly mayDriveAgainAt: string | null;
  readonly exempt: ExemptionName | null;
  readonly binds: string | null;
  readonly gainedTomorrowMin: number;
  readonly violations: readonly VectorViolation[];
}

export interface VectorViolation {
  readonly rule: string;
  readonly clause: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly overMin: number;
  readonly severity: Severity;
}

export interface VectorError {
  /** A `LogErrorCode`, `unknown-rule-set` or `bad-time`. */
  readonly code: string;
  readonly at: string;
}

/** Answers a question, or returns error codes. Accepts any value; never throws. */
export function answerVector(raw: unknown): Result<VectorAnswer, VectorError> {
  const read = readDutyLog(raw);
  if (!isObject(raw)) return failure({ code: 'not-an-object', at: '' });
  const { id, ruleset, asOf: rawAsOf } = raw;
  const asOf = readTime(rawAsOf);
  const errors: VectorError[] = read.ok ? [] : [...read.errors];
  if (!isRuleSetId(ruleset)) errors.unshift({ code: 'unknown-rule-set', at: 'ruleset' });
  if (asOf === null) errors.push({ code: 'bad-time', at: 'asOf' });
  if (!read.ok || !isRuleSetId(ruleset) || asOf === null) return failure(...errors);
  const zone = zoneNamed(read.value.terminal.timeZone);
  if (zone === null) return failure({ code: 'unknown-time-zone', at: 'timezone' });
  const evaluation = evaluate(read.value, ruleSets[ruleset], asOf);
  return success(answerOf(typeof id === 'string' ? id : null, evaluation, zone));
}

function answerOf(
  id: string | null,
  { clocks, exempt, next, recap, violations }: Evaluation,
  zone: Zone,
): VectorAnswer {
  const local = (instant: EpochMs | null): string | null => instant && toLocalIso(instant, zone);
  return {
    id,
    driveRemainingMin: remaining(clocks.drive),
    windowRemainingMin: remaining(clocks.window),
    breakRemainingMin: remaining(clocks.break),
    cycleRemainingMin: remaining(clocks.cycle),
    ...(clocks.onDuty && { onDutyRemainingMin: remaining(clocks.onDuty) }),
    mustStopBy: local(next.mustStopBy),
    mayDriveAgainAt: local(next.mayDriveAgainAt),
    binds: next.binds,
    exempt,
    gainedTomorrowMin: wholeMinutes(recap.gainedTomorrow),
    violations: violations.map(({ rule, clause, start, end, over, severity }) => ({
      rule,
      clause,
      startsAt: toLocalIso(start, zone),
      endsAt: toLocalIso(end, zone),
      overMin: wholeMinutes(over),
      severity,
    })),
  };
}

const wholeMinutes = (duration: Milliseconds): number => Math.floor(toMinutes(duration));
/** Null where the rule set has no such limit. */
const remaining = (clock: Clock | null): number | null =>
  clock === null || clock.remaining === Number.POSITIVE_INFINITY ? null : wholeMinutes(clock.remaining);
