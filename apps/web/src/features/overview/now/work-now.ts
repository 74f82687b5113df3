import type { BoardRow, Severity } from '@milepost/contract';
import { isSoon, isViolating } from '../../../logbook/attention.ts';
import type { Board } from '../../../logbook/board-rows.ts';
import { clocksAt, isWorking, tightest } from '../../../logbook/clocks.ts';

const WORK_STEPS = ['violation', 'soon', 'uncertified', 'unidentified'] as const;

/** What the desk should do about logs. */
export interface WorkStep {
  readonly kind: (typeof WORK_STEPS)[number];
  readonly severity: Severity;
  /** Drivers, days or minutes. */
  readonly count: number;
  /** How many drivers it is about, and the names of the first. */
  readonly drivers: number;
  readonly names: readonly string[];
  /** The least time left on a clock, in seconds. */
  readonly leftS: number | null;
}

/** Drivers by duty status and what their logs need, as on the logbook's desk. */
export interface WorkNow {
  readonly driving: number;
  readonly onDuty: number;
  readonly resting: number;
  readonly soon: number;
  readonly violation: number;
  readonly uncertifiedDays: number;
  readonly unidentifiedMinutes: number;
  readonly steps: readonly WorkStep[];
}

const NAMED = 3;

/** The same counts as on the desk, with its rules. */
export function workNow(rows: readonly BoardRow[], unidentified: Board['unidentified'], nowMs: number): WorkNow {
  const leftOf = (row: BoardRow): number => tightest(clocksAt(row, nowMs)).leftS;
  const violating = rows.filter(row => isViolating(row, nowMs));
  const soon = rows.filter(row => isSoon(row, nowMs)).toSorted((one, other) => leftOf(one) - leftOf(other));
  const uncertified = rows
    .filter(row => row.uncertifiedDays > 0)
    .toSorted((one, other) => other.uncertifiedDays - one.uncertifiedDays);
  const days = uncertified.reduce((sum, row) => sum + row.uncertifiedDays, 0);
  const step = (
    kind: WorkStep['kind'],
    severity: Severity,
    count: number,
    about: readonly BoardRow[] = [],
  ): WorkStep | [] =>
    count === 0
      ? []
      : {
          ...{ kind, severity, count, drivers: about.length },
          names: about.slice(0, NAMED).map(({ name }) => name),
          leftS: kind === 'soon' && about[0] ? leftOf(about[0]) : null,
        };
  const of = (is: (row: BoardRow) => boolean): number => rows.filter(is).length;
  return {
    driving: of(({ status }) => status === 'D'),
    onDuty: of(({ status }) => status !== 'D' && isWorking(status)),
    resting: of(({ status }) => !isWorking(status)),
    soon: soon.length,
    violation: violating.length,
    uncertifiedDays: days,
    unidentifiedMinutes: unidentified.minutes,
    steps: [
      step('violation', 'critical', violating.length, violating),
      step('soon', 'warning', soon.length, soon),
      step('uncertified', 'info', days, uncertified),
      step('unidentified', 'info', unidentified.minutes),
    ].flat(),
  };
}
