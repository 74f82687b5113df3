import { epochMs } from '@milepost/units';
import { LAST_CERTIFICATION_CODE, type RecordOrigin } from '../event/codes.ts';
import { type DutyEvent, type EldEvent, isDutyEvent } from '../event/event.ts';
import { dayOf } from '../local-time.ts';
import { isCut, isEnded, shortensDriving } from './driving.ts';
import type { EntryAction, LogEntry } from './entry.ts';
import type { LogRecord } from './record.ts';
import type { Refusal } from './refusals.ts';
import { coDriverAt, type LogState } from './state.ts';

/**
 * Which entries a log accepts, one rule for each action (Appendix A, 4.3.2.8 and 4.4.4.2; 49 CFR 395.30 and 395.32).
 */

type Entry<A extends EntryAction> = Extract<LogEntry, { readonly action: A }>;
type Rules = { readonly [A in EntryAction]: (state: LogState, entry: Entry<A>) => Refusal | null };

const DAY_MS = 24 * 3_600_000;
const SHORTEST_REASON = 4;
/** How far a device's clock may be from UTC (Appendix A, 4.3.1.5). */
const CLOCK_TOLERANCE_MS = 10 * 60_000;
const UNIDENTIFIED = 'unidentified:';

export const isUnidentified = (log: string): boolean => log.startsWith(UNIDENTIFIED);

export const RULES: Rules = {
  home: () => null,
  motion: (_, { until, recordedAt }) => (until > recordedAt + CLOCK_TOLERANCE_MS ? 'in-the-future' : null),

  record: (state, { event, recordedAt }) => {
    if (isLater(event, recordedAt)) return 'in-the-future';
    if (!isDutyEvent(event) || event.origin === 'automatic') return null;
    if (event.origin !== 'driver') return 'wrong-origin';
    if (isUnidentified(state.log)) return 'unidentified-log';
    if (event.type === 2) return 'not-editable';
    // An entry for the present needs no reason; one inserted between records does.
    if (event.at >= Math.max(state.latestDutyAt, state.seenMovingUntil)) return null;
    if (event.at < state.latestDutyAt && event.annotation.length < SHORTEST_REASON) return 'reason-missing';
    return shortensDriving(state, null, event) ? 'driving-shortened' : null;
  },

  retract: (state, { by, record }) => {
    if (by !== 'eld') return 'wrong-origin';
    const retracted = state.records.get(record);
    if (!retracted) return 'unknown-record';
    if (retracted.event.type !== 1 && retracted.event.type !== 3) return 'not-editable';
    return retracted.status === 'active' ? null : 'not-active';
  },

  edit: (state, { replaces, event, recordedAt }) =>
    onlyInDriversLog(state) ?? refusedChange(state, replaces, event, 'driver', recordedAt),

  propose: (state, { replaces, event, recordedAt }) => {
    const refusal = onlyInDriversLog(state) ?? refusedChange(state, replaces, event, 'other-user', recordedAt);
    if (refusal) return refusal;
    const days = [event, state.records.get(replaces ?? '')?.event].flatMap(about => (about ? [about.at] : []));
    return days.map(at => refusedDay(state, dayOf(epochMs(at), state.home))).find(found => found !== null) ?? null;
  },

  accept: (state, { proposal }) => {
    const proposed = state.records.get(proposal);
    if (proposed?.status !== 'change-requested') return refusedUnlessPending(state, proposal);
    const { replaces, event } = proposed;
    if (replaces !== null && state.records.get(replaces)?.status !== 'active') return 'not-active';
    return shortensDriving(state, replaces, event) ? 'driving-shortened' : null;
  },

  reject: (state, { proposal }) => refusedUnlessPending(state, proposal),
  withdraw: (state, { proposal }) => refusedUnlessPending(state, proposal),

  assume: (state, { event, from, until, recordedAt }) => {
    if (isUnidentified(state.log) || !isUnidentified(from.log)) return 'drivers-log';
    if (event.origin !== 'unidentified') return 'wrong-origin';
    if (event.type !== 1) return 'not-editable';
    if (isLater(event, recordedAt)) return 'in-the-future';
    return refusedDriving(state, event, until);
  },

  team: (state, { at, coDriver, recordedAt }) => {
    if (isUnidentified(state.log) || isUnidentified(coDriver ?? '')) return 'drivers-log';
    if (coDriver === state.log) return 'not-in-team';
    return at > recordedAt + CLOCK_TOLERANCE_MS ? 'in-the-future' : null;
  },

  'hand-over': (state, { record, to }) => {
    const handed = state.records.get(record);
    if (!handed) return 'unknown-record';
    if (handed.status !== 'active') return 'not-active';
    if (handed.automaticFrom === null || handed.event.type !== 1) return 'not-editable';
    return coDriverAt(state, handed.event.at) === to ? null : 'not-in-team';
  },

  'take-over': (state, { event, from, until, recordedAt }) => {
    if (isUnidentified(state.log) || isUnidentified(from.log)) return 'drivers-log';
    if (coDriverAt(state, event.at) !== from.log) return 'not-in-team';
    if (event.origin !== 'driver') return 'wrong-origin';
    if (event.type !== 1) return 'not-editable';
    if (isLater(event, recordedAt)) return 'in-the-future';
    if (event.annotation.length < SHORTEST_REASON) return 'reason-missing';
    return refusedDriving(state, event, until);
  },

  release: (state, { record, to }) => {
    if (isUnidentified(to)) return 'drivers-log';
    if (!isUnidentified(state.log) && state.handedOver.get(record) !== to) return 'not-handed-over';
    const released = state.records.get(record);
    if (!released) return 'unknown-record';
    if (released.event.type !== 1) return 'not-editable';
    return released.status === 'active' ? null : 'not-active';
  },

  decline: (state, { from }) => (isUnidentified(state.log) || !isUnidentified(from.log) ? 'drivers-log' : null),

  annotate: (state, { record }) => (state.records.get(record) ? null : 'unknown-record'),

  certify: (state, { event, recordedAt }) => {
    if (isUnidentified(state.log)) return 'unidentified-log';
    if (isLater(event, recordedAt)) return 'in-the-future';
    if (dayOf(epochMs(recordedAt), state.home) <= event.date) return 'day-not-over';
    const day = state.days.get(event.date);
    if (day && !day.changedSince) return 'nothing-to-certify';
    const next = Math.min(LAST_CERTIFICATION_CODE, (day?.certifications ?? 0) + 1);
    return event.code === next ? null : 'wrong-certification';
  },
};

/**
 * Why the carrier can't propose a change of a day, or null. It can once the driver has submitted the day (49 CFR
 * 395.30(d)(2)), which a certification does; a day that changed since stays submitted.
 */
export const refusedDay = ({ days }: LogState, date: string): 'not-certified' | null =>
  days.has(date) ? null : 'not-certified';

/** Driving from another log must end here when it ended there; otherwise it would continue until the next status. */
function refusedDriving(state: LogState, event: DutyEvent, until: number): Refusal | null {
  if (isCut(state, event, until)) return 'status-in-between';
  if (!isEnded(state, event, until)) return 'end-missing';
  return shortensDriving(state, null, event) ? 'driving-shortened' : null;
}

function refusedUnlessPending(state: LogState, proposal: string): Refusal | null {
  const proposed = state.records.get(proposal);
  if (!proposed) return 'unknown-record';
  return proposed.status === 'change-requested' ? null : 'not-pending';
}

const onlyInDriversLog = ({ log }: LogState): Refusal | null => (isUnidentified(log) ? 'unidentified-log' : null);

const isLater = ({ at }: EldEvent, recordedAt: number): boolean => at > recordedAt + CLOCK_TOLERANCE_MS;

/** Checks common to edits and proposals. */
function refusedChange(
  state: LogState,
  replaces: string | null,
  event: EldEvent,
  origin: RecordOrigin,
  recordedAt: number,
): Refusal | null {
  if (!isDutyEvent(event) || event.type === 2) return 'not-editable';
  if (event.origin !== origin) return 'wrong-origin';
  if (isLater(event, recordedAt)) return 'in-the-future';
  if (event.annotation.length < SHORTEST_REASON) return 'reason-missing';
  if (replaces !== null) {
    const old = state.records.get(replaces);
    const refusal = refusedTarget(old, event);
    if (refusal) return refusal;
  }
  return shortensDriving(state, replaces, event) ? 'driving-shortened' : null;
}

function refusedTarget(old: LogRecord | undefined, event: EldEvent): Refusal | null {
  if (!old) return 'unknown-record';
  if (old.event.type === 2 || old.event.type > 3) return 'not-editable';
  if (old.status !== 'active') return 'not-active';
  if (old.event.type !== event.type) return 'other-type';
  return Math.abs(old.event.at - event.at) > DAY_MS ? 'moved-too-far' : null;
}
