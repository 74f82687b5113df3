import { isDutyEvent, type LogRecord, type RecordLog, SESSION_CODES } from '@milepost/eld';
import type { DutyLog, HomeTerminal, RuleSetId } from '@milepost/hos';
import { type LogTermsOfDriver, type LogView, viewLog } from './log-view.ts';
import { logOfStretch, READ_BEFORE_MS, type Stretch } from './stretch.ts';
import { type Certification, certificationOf } from './uncertified.ts';

/** What a log says, as plain data that a worker thread can hand over. */
export interface ReadLog {
  readonly home: HomeTerminal;
  readonly ruleSet: RuleSetId;
  /** That of a driver at rest, for a log without a status. */
  readonly dutyLog: DutyLog;
  readonly status: LogView['segments'][number]['status'];
  /** Epoch milliseconds; null for a log without a status. */
  readonly since: number | null;
  /** The place of the newest record that has one. */
  readonly place: string | null;
  /** The vehicle that the driver is signed in to, as the log’s records say; null if to none. */
  readonly vehicleId: number | null;
  readonly proposals: number;
  readonly certification: Certification;
}

export interface LogsToRead {
  readonly logs: readonly (LogTermsOfDriver & { readonly stretch: Stretch })[];
  readonly knownFrom: number | null;
  readonly now: number;
}

/** What these logs say for the board; null for a part that can’t be read alone. A task of the worker threads. */
export function readBoardLogs({ knownFrom, logs, now }: LogsToRead): (ReadLog | null)[] {
  return logs.map(({ stretch, ...terms }) => {
    const log = logOfStretch(stretch, knownFrom);
    return log && readLogOf(viewLog(log, terms, now));
  });
}

export function readLogOf(view: LogView): ReadLog {
  const { log, segments, ruleSet } = view;
  const home = log.home();
  const last = segments.at(-1);
  let newest: { readonly at: number; readonly place: string } | null = null;
  let proposals = 0;
  for (const { event, status } of log.records()) {
    // A log may have been read farther back for something else.
    if (status === 'change-requested' && event.at >= view.now - READ_BEFORE_MS) proposals++;
    if (status !== 'active' || !isDutyEvent(event)) continue;
    const place = event.placeByDriver ?? event.place;
    if (place !== null && event.at >= (newest?.at ?? 0)) newest = { at: event.at, place };
  }
  return {
    home,
    ruleSet,
    dutyLog: view.dutyLog,
    status: last?.status ?? 'OFF',
    since: last?.start ?? null,
    place: newest?.place ?? null,
    vehicleId: signedInTo(log),
    proposals,
    certification: certificationOf(view),
  };
}

function signedInTo(log: RecordLog): number | null {
  let newest: LogRecord | null = null;
  for (const record of log.records()) {
    if (record.event.type === 5 && record.event.at >= (newest?.event.at ?? 0)) newest = record;
  }
  if (newest?.event.code !== SESSION_CODES.login) return null;
  const id = Number(newest.device.replace('vehicle:', ''));
  return Number.isInteger(id) ? id : null;
}
