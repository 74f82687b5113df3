import { type DutyEvent, isDutyEvent, type LogEntry, type LogRecord, type RecordLog } from '@milepost/eld';
import type { EntryDraft, EventDraft } from '../draft.ts';
import { enteredKey } from './entered-codes.ts';
import type { ToRecord } from './vehicle-state.ts';

/** One event in one log; the same one is never recorded twice. */
export function keyOf({ log, event }: ToRecord): string {
  const fault = event.type === 7 ? event.faultCode : '';
  return `${log} ${event.at} ${event.type} ${event.code} ${fault}`;
}

/** The second of a key's event, in epoch milliseconds. */
export const momentOf = (key: string): number => Number(key.split(' ')[1]);

/** Those of `wanted` that `known` has not, each as often as it is missing. */
export function missingFrom(wanted: readonly ToRecord[], known: Iterable<string>): ToRecord[] {
  const counts = new Map<string, number>();
  for (const key of known) counts.set(key, (counts.get(key) ?? 0) + 1);
  return wanted.filter(one => {
    const key = keyOf(one);
    const count = counts.get(key) ?? 0;
    if (count > 0) counts.set(key, count - 1);
    return count === 0;
  });
}

export interface LoggedRecord extends ToRecord {
  readonly id: string;
}

/** What a log's driver entered outside of a vehicle. */
export interface Outside {
  /** The records that it became, by their IDs. */
  readonly records: ReadonlySet<string>;
  /** Of entries from before records were kept with them: a key (`enteredKey`) for each. */
  readonly keys: readonly string[];
}

/**
 * The recorder's own records of a vehicle in a log from a moment on, without those that it has taken back.
 *
 * @param entered what it can have made of entries (`enteredKeys`): such a record is the recorder's, others of a driver
 *   are not
 * @param outside whose records are not the recorder's; of its keys, as many as there are
 */
export function recordedBy(
  entries: readonly LogEntry[],
  device: string,
  fromMs: number,
  { entered, outside }: { readonly entered: ReadonlySet<string>; readonly outside: Outside },
): LoggedRecord[] {
  const retracted = new Set(entries.flatMap(entry => (entry.action === 'retract' ? [entry.record] : [])));
  const records = entries.flatMap(entry =>
    entry.action === 'record' && !retracted.has(entry.id) && !outside.records.has(entry.id) ? [entry] : [],
  );
  const enteredIn = ({ event }: (typeof records)[number]): string | null =>
    isDutyEvent(event) && event.origin !== 'automatic' ? enteredKey(event.at, event.type, event.code) : null;
  // Those that name another vehicle are certainly not this recorder's.
  const byHand = records.filter(one => one.device !== device).map(enteredIn);
  const left = [...outside.keys];
  const isOutside = (key: string | null): boolean => {
    const nth = key === null ? -1 : left.indexOf(key);
    if (nth >= 0) left.splice(nth, 1);
    return nth >= 0;
  };
  for (const key of byHand) isOutside(key);
  return records.flatMap((entry): LoggedRecord[] => {
    if (entry.device !== device || entry.event.at < fromMs) return [];
    const key = enteredIn(entry);
    if (key !== null && (!entered.has(key) || isOutside(key))) return [];
    return [{ id: entry.id, log: entry.log, event: entry.event as LoggedRecord['event'] }];
  });
}

/**
 * Statuses and indications that were recorded too early, before positions or inputs came that tell otherwise: they are
 * taken back, so that what stands before them goes on, whichever vehicle or person it comes from. Nothing where a person
 * has changed the record, or has entered the status that it was anyway: an edit may stand in between.
 */
export function retractions(
  log: RecordLog,
  truth: readonly ToRecord[],
  logged: readonly LoggedRecord[],
  fromMs: number,
): EntryDraft[] {
  const keys = new Set(truth.map(keyOf));
  const before = log
    .records()
    .filter(({ event, status }) => status === 'active' && event.at < fromMs)
    .sort((one, other) => one.event.at - other.event.at);
  const isAnyway = ({ event, log: name }: LoggedRecord): boolean => {
    const last =
      truth.findLast(one => one.log === name && one.event.type === event.type && one.event.at <= event.at)?.event ??
      before.findLast(one => one.event.type === event.type)?.event;
    return 'origin' in event && event.origin !== 'automatic' && (last?.code ?? event.code) === event.code;
  };
  return logged
    .filter(one => isStatus(one) && !keys.has(keyOf(one)) && !isAnyway(one))
    .filter(({ id }) => log.record(id)?.status === 'active')
    .map(one => ({ action: 'retract', log: one.log, by: 'eld', record: one.id }));
}

/**
 * Of two records of one second the last one counts, so one that came late must not stand over what followed it: that is
 * recorded again.
 *
 * @param log as it is with everything of `truth` in it, and nothing that is to be taken back
 */
export function inTheirOrder(
  log: RecordLog,
  truth: readonly ToRecord[],
  logged: readonly LoggedRecord[],
): EntryDraft[] {
  const drafts: EntryDraft[] = [];
  const records = log.records().filter(({ status }) => status === 'active');
  for (const one of logged) {
    const { event } = one;
    if (!isStatus(one)) continue;
    const isOfThen = (other: ToRecord['event'] | LogRecord['event']) =>
      other.type === event.type && other.at === event.at;
    // What was written last must have come last; a person's own record, or another vehicle's, is left.
    const standing = records.findLast(record => isOfThen(record.event));
    if (standing?.id !== one.id) continue;
    const code = truth.findLast(({ event: other, log: of }) => of === one.log && isOfThen(other))?.event.code;
    if (code === undefined || code === event.code) continue;
    const isSame = ({ event: other }: { readonly event: ToRecord['event'] | LogRecord['event'] }) =>
      isOfThen(other) && other.code === event.code;
    const made = truth.filter(other => other.log === one.log && isSame(other)).length;
    // There are more of them than the recorder made: the last one was entered outside of the vehicle.
    if (made > 0 && records.filter(isSame).length > made) continue;
    drafts.push({
      action: 'record',
      log: one.log,
      device: standing.device as `vehicle:${string}`,
      by: 'eld',
      event: { ...event, origin: 'automatic', code, annotation: '' } as EventDraft<DutyEvent>,
    });
  }
  return drafts;
}

const isStatus = ({ event: { type } }: ToRecord): boolean => type === 1 || type === 3;
