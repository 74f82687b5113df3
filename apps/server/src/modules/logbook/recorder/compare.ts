import { DUTY_CODES, isDutyEvent, type LogEntry, type LogRecord, type RecordLog } from '@milepost/eld';
import type { EntryDraft } from '../draft.ts';
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

/**
 * The recorder's own records of a vehicle in a log from a moment on.
 *
 * @param entered the moments, in whole seconds of epoch milliseconds, at which a driver entered something that the
 *   recorder took: such a record is the recorder's, others of a driver are not
 */
export function recordedBy(
  entries: readonly LogEntry[],
  device: string,
  fromMs: number,
  entered: ReadonlySet<number>,
): LoggedRecord[] {
  return entries.flatMap((entry): LoggedRecord[] => {
    if (entry.action !== 'record' || entry.device !== device || entry.event.at < fromMs) return [];
    const { event } = entry;
    if (isDutyEvent(event) && event.origin !== 'automatic' && !entered.has(event.at)) return [];
    return [{ id: entry.id, log: entry.log, event: event as LoggedRecord['event'] }];
  });
}

/**
 * Corrections of what was recorded too early, before positions or inputs came that tell otherwise: at the moment of such
 * a record the status that the driver was in according to all of them. Of two records of one second the last one counts,
 * so one that came late must not stand over what followed it. Nothing where a person has changed the record.
 *
 * @param log as it is with everything of `truth` in it
 */
export function corrections(
  log: RecordLog,
  name: string,
  truth: readonly ToRecord[],
  logged: readonly LoggedRecord[],
  fromMs: number,
): EntryDraft[] {
  const keys = new Set(truth.map(keyOf));
  const drafts: EntryDraft[] = [];
  const records = log.records().filter(({ status }) => status === 'active');
  const ofType = (type: number) => truth.filter(({ event, log: of }) => of === name && event.type === type);
  for (const one of logged) {
    const { event } = one;
    if (event.type !== 1 && event.type !== 3) continue;
    const known = log.record(one.id);
    if (known?.status !== 'active') continue;
    const standing = records.findLast(({ event: { type, at } }) => type === event.type && at === event.at);
    // It happened, and something else in the same second may have come after it; what was written last must, too.
    if (keys.has(keyOf(one)) && standing?.id !== one.id) continue;
    const last = ofType(event.type).findLast(({ event: { at } }) => at <= event.at);
    const before = records
      .filter(({ event: { type, at } }) => type === event.type && at < fromMs)
      .reduce<LogRecord | null>((latest, next) => (next.event.at >= (latest?.event.at ?? 0) ? next : latest), null);
    const code = last?.event.code ?? before?.event.code ?? (event.type === 1 ? DUTY_CODES.OFF : 0);
    if (standing?.event.code === code || drafts.some(draft => 'event' in draft && isSame(draft, event))) continue;
    drafts.push({
      action: 'record',
      log: name,
      device: known.device as `vehicle:${string}`,
      by: 'eld',
      event: { ...event, origin: 'automatic', code, annotation: '' },
    });
  }
  return drafts;
}

const isSame = (
  draft: EntryDraft & { readonly event: { readonly at: number; readonly type: number } },
  event: ToRecord['event'],
) => draft.event.at === event.at && draft.event.type === event.type;
