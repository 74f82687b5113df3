import { type EpochMs, epochMs, type Milliseconds, milliseconds } from '@milepost/units';
import {
  type Declaration,
  EXCEPTIONS,
  EXEMPTIONS,
  type Exception,
  type ExemptionName,
  isExemption,
} from '../exception.ts';
import type { Exemption, RuleSet } from '../rule-set.ts';
import type { ShiftLimits } from './count.ts';
import { NOTHING, sum } from './time.ts';

/**
 * Days on which a shift drove in hours that only a longer window allows, and the last restart. Together they limit how
 * often the exception can be used.
 */
export interface LongDays {
  readonly days: readonly number[];
  readonly restartDay: number | null;
}

const NO_LIMIT = milliseconds(Number.POSITIVE_INFINITY);

export const NO_LONG_DAYS: LongDays = { days: [], restartDay: null };

export interface InForce extends ShiftLimits {
  readonly breakWaived: boolean;
  /** Added to the daily limits, where the rule set has them. */
  readonly more: DayMore;
  /** Declared exceptions of the rule set that count at this instant. */
  readonly declared: readonly Exception[];
  /** Sets the limits aside; they are those that apply again when it ends. */
  readonly exempt: (Exemption & { readonly name: ExemptionName }) | null;
}

/** What a declaration adds to the driving and on-duty limits. */
export interface DayMore {
  readonly drive: Milliseconds;
  readonly onDuty: Milliseconds;
}

const NO_MORE: DayMore = { drive: NOTHING, onDuty: NOTHING };

/**
 * The limits at an instant of a shift. A declaration counts from its start until the end of the shift: a driver who
 * meets adverse conditions at noon may drive longer that day, one whose hours had already run out may not. A
 * declaration without an end applies to one shift: the one in which it starts, or the one after the full rest in which
 * it starts.
 *
 * @param shiftStart first work of the shift, or the instant itself if there is none yet
 * @param restedFrom start of the full rest before the shift
 * @param day the home-terminal day on which the shift began
 */
export function limitsInForce(
  rules: RuleSet,
  declarations: readonly Declaration[],
  longDays: LongDays,
  shiftStart: EpochMs,
  restedFrom: EpochMs,
  day: number,
  at: EpochMs,
): InForce {
  const ordinary = {
    drive: rules.drive.limit,
    window: rules.window.limit,
    onDuty: rules.onDuty?.limit ?? NO_LIMIT,
  };
  if (declarations.length === 0) {
    const none = { breakWaived: false, more: NO_MORE, declared: [], exempt: null };
    return { ...ordinary, ordinaryWindow: ordinary.window, ...none };
  }
  const { adverseDriving, sixteenHourException, shortHaul, shortHaulNonCdl } = rules.exceptions;
  const declared = (exception: Exception): boolean =>
    declarations.some(
      ({ exception: declared, start, end }) =>
        declared === exception && start <= at && (end === null ? start >= restedFrom : end > shiftStart),
    );

  const adverse = adverseDriving && declared('adverseDriving') ? adverseDriving : null;
  const ordinaryWindow = adverse ? sum(ordinary.window, adverse.window) : ordinary.window;
  let window: Milliseconds = ordinaryWindow;
  if (
    sixteenHourException &&
    declared('sixteenHourException') &&
    isUnused(longDays, day, sixteenHourException.onceIn)
  ) {
    window = longest(window, sixteenHourException.window);
  }
  const nonCdl = shortHaulNonCdl && declared('shortHaulNonCdl') ? shortHaulNonCdl : null;
  if (nonCdl && longDays.days.filter(used => used > day - 7 && used !== day).length < nonCdl.days) {
    window = longest(window, nonCdl.window);
  }
  return {
    drive: adverse ? sum(ordinary.drive, adverse.drive) : ordinary.drive,
    onDuty: adverse ? sum(ordinary.onDuty, adverse.onDuty) : ordinary.onDuty,
    window,
    ordinaryWindow,
    breakWaived: nonCdl !== null || (shortHaul !== undefined && declared('shortHaul')),
    more: adverse ?? NO_MORE,
    declared: EXCEPTIONS.filter(
      name =>
        rules.exceptions[name] !== undefined &&
        (isExemption(name) ? isExempt(name, declarations, restedFrom, at) : declared(name)),
    ),
    exempt: exemptionAt(rules, declarations, restedFrom, at),
  };
}

/** Only while it lasts; without an end, until the shift's work is over. */
const isExempt = (
  name: ExemptionName,
  declarations: readonly Declaration[],
  restedFrom: EpochMs,
  at: EpochMs,
): boolean =>
  declarations.some(
    ({ exception, start, end }) => exception === name && start <= at && (end === null ? start >= restedFrom : end > at),
  );

function exemptionAt(
  { exceptions }: RuleSet,
  declarations: readonly Declaration[],
  restedFrom: EpochMs,
  at: EpochMs,
): InForce['exempt'] {
  for (const name of EXEMPTIONS) {
    const exemption = exceptions[name];
    if (exemption && isExempt(name, declarations, restedFrom, at)) return { name, ...exemption };
  }
  return null;
}

/** The limits of driving under an exemption. */
export const withoutLimits = (limits: InForce): InForce =>
  limits.exempt === null
    ? limits
    : { ...limits, drive: NO_LIMIT, window: NO_LIMIT, onDuty: NO_LIMIT, ordinaryWindow: NO_LIMIT, breakWaived: true };

/** The instant at which the limits in force may next change. */
export function nextDeclaration(declarations: readonly Declaration[], at: EpochMs): EpochMs {
  let next = Number.POSITIVE_INFINITY;
  for (const { exception, start, end } of declarations) {
    if (start > at) next = Math.min(next, start);
    else if (end !== null && end > at && isExemption(exception)) next = Math.min(next, end);
  }
  return epochMs(next);
}

/** 395.1(o)(3): not used in the previous six days, unless a restart has begun a new period. */
function isUnused({ days, restartDay }: LongDays, day: number, onceIn: number): boolean {
  return !days.some(used => used > day - onceIn && used < day && (restartDay === null || used >= restartDay));
}

const longest = (a: Milliseconds, b: Milliseconds): Milliseconds => (a > b ? a : b);
