import type { MyDuty, ShownClocks } from '@milepost/contract';
import { atRest, type Clock, type Exception, evaluate, isRuleSetId, readDutyLog, ruleSets } from '@milepost/hos';
import { epochMs } from '@milepost/units';

export interface LiveClocks {
  readonly clocks: ShownClocks;
  readonly binds: string | null;
  readonly mustStopByMs: number | null;
  readonly mayDriveAgainAtMs: number | null;
  /** The exemption in force: no limit applies, and the clocks are those of when it ends. */
  readonly exempt: string | null;
  /** Exceptions that the driver declared and that count now; none if these clocks are the server's. */
  readonly declared: readonly Exception[];
  /** True if computed here and now; false if these are the server's, for its moment. */
  readonly isCounted: boolean;
}

/** The clocks now, computed by the server's own rule engine from the log on the phone. */
export function clocksAt({ dutyLog, row }: MyDuty, nowMs: number): LiveClocks {
  const log = readDutyLog(dutyLog.segments.length === 0 ? atRest(dutyLog, nowMs) : dutyLog);
  if (!log.ok || !isRuleSetId(dutyLog.ruleset)) {
    return {
      clocks: row.clocks,
      binds: row.binds,
      mustStopByMs: row.mustStopBy && Date.parse(row.mustStopBy),
      mayDriveAgainAtMs: row.mayDriveAgainAt && Date.parse(row.mayDriveAgainAt),
      exempt: row.exempt,
      declared: [],
      isCounted: false,
    } as LiveClocks;
  }
  const { clocks, declared, exempt, next } = evaluate(log.value, ruleSets[dutyLog.ruleset], epochMs(nowMs));
  return {
    clocks: {
      drive: shown(clocks.drive),
      window: shown(clocks.window),
      onDuty: clocks.onDuty && shown(clocks.onDuty),
      break: clocks.break && shown(clocks.break),
      cycle: shown(clocks.cycle),
    },
    binds: next.binds,
    mustStopByMs: next.mustStopBy,
    mayDriveAgainAtMs: next.mayDriveAgainAt,
    exempt,
    declared,
    isCounted: true,
  };
}

const shown = ({ limit, remaining }: Clock): ShownClocks['drive'] => ({
  limitS: limit / 1000,
  leftS: remaining / 1000,
});
