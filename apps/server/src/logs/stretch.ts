import { type LogEntry, type RecordLog, replay } from '@milepost/eld';
import type { HomeTerminal } from '@milepost/hos';

const DAY_MS = 24 * 3_600_000;
/** What a partial log says about its first two days may lack the status that they begin with. */
export const MARGIN_MS = 2 * DAY_MS;
/** As far before a moment as logs are read: the longest cycle has 14 days, and the rules look at two days more. */
export const READ_BEFORE_MS = 16 * DAY_MS + MARGIN_MS;

/** Entries of a log as the database has them, in order: all, or those that bear on the time since a moment. */
export interface Stretch {
  readonly log: string;
  readonly entries: readonly string[];
  readonly isWhole: boolean;
}

/** Until a log’s first entry names its home terminal. */
export const HOME_UNTIL_NAMED: HomeTerminal = { timeZone: 'UTC', startOfDay: 0 };

/**
 * The log that these entries make; null if they are a part that can’t be read alone, or lack the status at `knownFrom`
 * (epoch milliseconds; null: no such moment). Pure: it runs in a worker thread, too.
 */
export function logOfStretch({ entries, isWhole, log }: Stretch, knownFrom: number | null): RecordLog | null {
  const result = replay({ log, home: HOME_UNTIL_NAMED }, parsed(entries));
  if (!result.ok) return null;
  return isWhole || knownFrom === null || knowsStatusAt(result.value, knownFrom) ? result.value : null;
}

function* parsed(entries: readonly string[]): Generator<LogEntry> {
  for (const entry of entries) yield JSON.parse(entry) as LogEntry;
}

const knowsStatusAt = (log: RecordLog, moment: number): boolean =>
  log.records().some(({ event, status }) => status === 'active' && event.type === 1 && event.at <= moment);
