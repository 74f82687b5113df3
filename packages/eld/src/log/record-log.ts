import type { HomeTerminal } from '@milepost/hos';
import { bad, good, type Result } from '../result.ts';
import type { EntryAction, LogEntry } from './entry.ts';
import type { CertifiedDay, LogRecord } from './record.ts';
import type { Refusal } from './refusals.ts';
import { RULES, refusedDay } from './rules.ts';
import { daysToCertify, EFFECTS, emptyState, type LogState, type LogTerms } from './state.ts';

/** One log, built from its entries: it grows, and nothing in it ever changes (invariant I5). */
export interface RecordLog {
  /** Adds the entry; or returns the reason for refusing it, and changes nothing. */
  append(entry: LogEntry): Refusal | null;
  /** In order of writing, each with its current status. */
  records(): readonly LogRecord[];
  record(id: string): LogRecord | null;
  day(date: string): CertifiedDay | null;
  /** Why a change of this day can't be proposed to the driver, or null. */
  refusedDay(date: string): 'not-certified' | null;
  /** The home terminal in whose time the log is now kept. */
  home(): HomeTerminal;
  /** Past days that are not certified, or changed since, oldest first. */
  daysToCertify(now: number): readonly string[];
}

type AnyRule = (state: LogState, entry: LogEntry) => Refusal | null;
type AnyEffect = (state: LogState, entry: LogEntry) => void;
const ruleOf = (action: EntryAction): AnyRule => RULES[action] as AnyRule;
const effectOf = (action: EntryAction): AnyEffect => EFFECTS[action] as AnyEffect;

export function openLog(terms: LogTerms): RecordLog {
  const state = emptyState(terms);
  return {
    append: entry => {
      const refusal = refusalOf(state, entry);
      if (refusal) return refusal;
      state.ids.add(entry.id);
      state.lastRecordedAt = entry.recordedAt;
      effectOf(entry.action)(state, entry);
      return null;
    },
    records: () => state.records.all(),
    record: id => state.records.get(id) ?? null,
    home: () => state.home,
    day: date => state.days.get(date) ?? null,
    refusedDay: date => refusedDay(state, date),
    daysToCertify: now => daysToCertify(state, now),
  };
}

function refusalOf(state: LogState, entry: LogEntry): Refusal | null {
  if (entry.log !== state.log) return 'wrong-log';
  if (state.ids.has(entry.id)) return 'known-id';
  if (entry.recordedAt < state.lastRecordedAt) return 'recorded-backward';
  return ruleOf(entry.action)(state, entry);
}

/** Builds a log from its entries; the fault names the first entry that breaks a rule. */
export function replay(
  terms: LogTerms,
  entries: Iterable<LogEntry>,
): Result<RecordLog, { readonly index: number; readonly entry: LogEntry; readonly refusal: Refusal }> {
  const log = openLog(terms);
  let index = 0;
  for (const entry of entries) {
    const refusal = log.append(entry);
    if (refusal) return bad({ index, entry, refusal });
    index++;
  }
  return good(log);
}
