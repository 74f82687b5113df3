import { dutySegments, type RecordLog, rawTerminal, type ShownSegment, shownSegments } from '@milepost/eld';
import {
  atRest,
  type DutyLog,
  type Evaluation,
  evaluate,
  type RawDeclaration,
  type RuleSetId,
  readDutyLog,
  ruleSets,
} from '@milepost/hos';
import { epochMs } from '@milepost/units';

/** The terms under which a log is read. */
export interface LogTermsOfDriver {
  readonly ruleSet: RuleSetId;
  /** What the driver has declared: adverse conditions, short haul … */
  readonly declarations: readonly RawDeclaration[];
}

/** A log as of one moment: its statuses and its evaluation, from which days and the board’s rows are made. */
export interface LogView {
  readonly log: RecordLog;
  /** Epoch milliseconds. */
  readonly now: number;
  /** From the first status to `now`, without gaps; empty for a log without any. */
  readonly segments: readonly ShownSegment[];
  /** That of a driver at rest, for a log without a status. */
  readonly dutyLog: DutyLog;
  readonly ruleSet: RuleSetId;
  /** Computed when asked for. */
  readonly evaluation: Evaluation;
}

/** Throws if the log’s records don’t make a valid duty log, which would be a mistake of this code. */
export function viewLog(log: RecordLog, { ruleSet, declarations }: LogTermsOfDriver, now: number): LogView {
  const records = log.records();
  const raw = dutySegments(records, log.home(), now);
  const read = readDutyLog(raw ? { ...raw, declarations } : atRest({ ...rawTerminal(log.home()), declarations }, now));
  if (!read.ok) throw new Error(`The records make no duty log: ${JSON.stringify(read.errors[0])}`);
  const dutyLog = read.value;
  let evaluation: Evaluation | null = null;
  return {
    log,
    now,
    segments: shownSegments(records, now),
    dutyLog,
    ruleSet,
    get evaluation() {
      evaluation ??= evaluate(dutyLog, ruleSets[ruleSet], epochMs(now));
      return evaluation;
    },
  };
}
