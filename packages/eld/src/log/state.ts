import type { HomeTerminal } from '@milepost/hos';
import { epochMs } from '@milepost/units';
import { DUTY_CODES } from '../event/codes.ts';
import { type EldEvent, isDutyEvent } from '../event/event.ts';
import { addDays, dayOf } from '../local-time.ts';
import { type Drive, drivenSpans, drivenWith, drivenWithout, goesOnAutomatically, isDriving } from './driving.ts';
import type { EntryAction, EntryWithEvent, LogEntry } from './entry.ts';
import type { CertifiedDay, LogRecord } from './record.ts';
import { Records } from './records.ts';

/** How entries change a log, one effect for each action. The rules (`rules.ts`) have been checked before. */

export interface LogTerms {
  /** `driver:12`, `unidentified:7`. */
  readonly log: string;
  /** Until an entry names another. */
  readonly home: HomeTerminal;
}

export interface LogState extends Drive {
  readonly log: string;
  home: HomeTerminal;
  readonly ids: Set<string>;
  readonly records: Records;
  /** Certified days, by date. */
  readonly days: Map<string, CertifiedDay>;
  /** The co-driver from each moment on, or null; in order of writing. */
  readonly teams: { readonly at: number; readonly coDriver: string | null }[];
  /** Records that the driver says were the co-driver’s. */
  readonly handedOver: Map<string, string>;
  /** Event time of the latest duty record, whatever the record's status. */
  latestDutyAt: number;
  lastRecordedAt: number;
}

export const emptyState = ({ log, home }: LogTerms): LogState => ({
  log,
  home,
  ids: new Set(),
  records: new Records(),
  days: new Map(),
  teams: [],
  handedOver: new Map(),
  latestDutyAt: 0,
  seenMovingUntil: 0,
  driven: [],
  lastRecordedAt: 0,
});

type Entry<A extends EntryAction> = Extract<LogEntry, { readonly action: A }>;
type Effects = { readonly [A in EntryAction]: (state: LogState, entry: Entry<A>) => void };

export const EFFECTS: Effects = {
  home: (state, { timeZone, startOfDay }) => {
    state.home = { timeZone, startOfDay };
  },

  motion: (state, { until }) => {
    state.seenMovingUntil = Math.max(state.seenMovingUntil, until);
  },

  record: (state, entry) => {
    const { event } = entry;
    if (event.type !== 1) return add(state, entry, { status: 'active' });
    const isLate = event.at < state.latestDutyAt;
    if (event.origin === 'automatic') {
      // The device has corrected what it recorded.
      if (isLate && event.code !== DUTY_CODES.D) state.driven = drivenWithout(state, event);
      return add(state, entry, { status: 'active' });
    }
    if (isLate) state.driven = drivenSpans(state);
    add(state, entry, { status: 'active', automaticFrom: goesOnAutomatically(state, event) ? event.at : null });
  },

  retract: (state, { record }) => {
    const event = state.records.get(record)?.event;
    // The driving that it began is not this driver's; what another status ended goes on.
    if (event && isDriving(event)) state.driven = drivenWithout(state, event);
    change(state, record, { status: 'inactive-changed' });
  },

  edit: (state, entry) => {
    state.driven = drivenSpans(state);
    const { automaticFrom = null } = state.records.get(entry.replaces) ?? {};
    change(state, entry.replaces, { status: 'inactive-changed' });
    add(state, entry, { status: 'active', replaces: entry.replaces, automaticFrom });
  },

  propose: (state, entry) => add(state, entry, { status: 'change-requested', replaces: entry.replaces }),

  accept: (state, { proposal }) => {
    state.driven = drivenSpans(state);
    const replaces = state.records.get(proposal)?.replaces ?? null;
    const automaticFrom = state.records.get(replaces ?? '')?.automaticFrom ?? null;
    if (replaces !== null) change(state, replaces, { status: 'inactive-changed' });
    change(state, proposal, { status: 'active', automaticFrom });
  },

  reject: (state, { proposal }) => dismiss(state, proposal, { isWithdrawn: false }),
  // The rule's table of record statuses (4.4.4.2.6) has none of its own for this.
  withdraw: (state, { proposal }) => dismiss(state, proposal, { isWithdrawn: true }),
  assume: (state, entry) => takeOver(state, entry),
  team: (state, { at, coDriver }) => {
    state.teams.push({ at, coDriver });
  },

  'hand-over': (state, { record, to }) => {
    state.handedOver.set(record, to);
  },

  'take-over': (state, entry) => takeOver(state, entry),
  release: (state, { record, to }) => {
    const released = state.records.get(record);
    if (released) state.driven = drivenWithout(state, released.event);
    change(state, record, { status: 'inactive-changed', releasedTo: to });
  },

  decline: () => {},
  annotate: (state, { record, annotation, by }) => change(state, record, { annotation, annotatedBy: by }),

  certify: (state, entry) => {
    const { certifications = 0 } = state.days.get(entry.event.date) ?? {};
    state.days.set(entry.event.date, { certifications: certifications + 1, changedSince: false });
    add(state, entry, { status: 'active' });
  },
};

function takeOver(state: LogState, entry: Entry<'assume' | 'take-over'>): void {
  state.driven = drivenWith(state, entry.event, entry.until);
  if (entry.event.code === DUTY_CODES.D) state.seenMovingUntil = Math.max(state.seenMovingUntil, entry.until);
  add(state, entry, { status: 'active', automaticFrom: entry.event.at });
}

function add(state: LogState, entry: EntryWithEvent, more: Pick<LogRecord, 'status'> & Partial<LogRecord>): void {
  const { id, event, device, by, recordedAt } = entry;
  const record: LogRecord = {
    id,
    event,
    device,
    by,
    recordedAt,
    replaces: null,
    annotation: isDutyEvent(event) ? event.annotation : '',
    annotatedBy: null,
    releasedTo: null,
    isWithdrawn: false,
    automaticFrom: isDutyEvent(event) && event.origin === 'automatic' ? event.at : null,
    ...more,
  };
  state.records.set(record);
  if (isDutyEvent(event)) state.latestDutyAt = Math.max(state.latestDutyAt, event.at);
  if (record.status === 'active') markChanged(state, event);
}

/** The driver's day has not changed: it stays certified. */
function dismiss(state: LogState, proposal: string, how: Pick<LogRecord, 'isWithdrawn'>): void {
  const record = state.records.get(proposal);
  if (record) state.records.set({ ...record, ...how, status: 'change-rejected' });
}

function change(state: LogState, id: string, what: Partial<LogRecord>): void {
  const record = state.records.get(id);
  if (!record) return;
  state.records.set({ ...record, ...what });
  markChanged(state, record.event);
}

/** Marks the certified days that an event affects as changed: its own, and those into which a duty status continues. */
function markChanged(state: LogState, event: EldEvent): void {
  if (event.type === 4 || state.days.size === 0) return;
  const { home } = state;
  const first = dayOf(epochMs(event.at), home);
  const last = event.type === 1 ? dayOf(epochMs(nextStatusAt(state, event.at)), home) : first;
  for (const [date, day] of state.days) {
    if (date >= first && date <= last && !day.changedSince) state.days.set(date, { ...day, changedSince: true });
  }
}

function nextStatusAt(state: LogState, after: number): number {
  if (after >= state.latestDutyAt) return Math.max(after, state.lastRecordedAt);
  const next = state.records.statuses.find(({ event }) => event.at > after);
  return next?.event.at ?? Math.max(after, state.lastRecordedAt);
}

/** The co-driver at a moment, according to the last entry about it. */
export function coDriverAt({ teams }: LogState, moment: number): string | null {
  let found: LogState['teams'][number] | null = null;
  for (const team of teams) if (team.at <= moment && team.at >= (found?.at ?? 0)) found = team;
  return found?.coDriver ?? null;
}

/** Records are kept for six months (49 CFR 395.8(k)); older days no longer need certification. */
const KEPT_DAYS = 184;

/** The days of a driver’s log that still need certification, from the first record to the day before `now`. */
export function daysToCertify({ records, days, home }: LogState, now: number): string[] {
  let first = Number.POSITIVE_INFINITY;
  for (const { event } of records.all()) if (event.type !== 4) first = Math.min(first, event.at);
  if (!Number.isFinite(first)) return [];
  const today = dayOf(epochMs(now), home);
  const oldest = addDays(today, -KEPT_DAYS);
  const firstDay = dayOf(epochMs(first), home);
  const wanting: string[] = [];
  for (let date = firstDay > oldest ? firstDay : oldest; date < today; date = addDays(date, 1)) {
    if (days.get(date)?.changedSince ?? true) wanting.push(date);
  }
  return wanting;
}
