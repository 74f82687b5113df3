import type { DutyStatus } from '@milepost/hos';
import { DUTY_CODES, DUTY_STATES, type DutyState, INDICATION_CODES } from '../event/codes.ts';
import type { LogRecord } from './record.ts';

/** A time in one duty status, half-open, and the record that began it; times in epoch milliseconds. */
export interface ShownSegment {
  readonly status: DutyStatus;
  readonly start: number;
  readonly end: number;
  readonly record: string;
}

/**
 * The duty statuses that the active records make, from the first one to `until`, without gaps. Personal use counts only
 * while off duty, a yard move only while on duty, and each ends with that status.
 */
export function shownSegments(records: readonly LogRecord[], until: number): ShownSegment[] {
  const segments: { status: DutyStatus; start: number; end: number; record: string }[] = [];
  let state: DutyState | null = null;
  let indication = 0;
  for (const [at, group] of byInstant(records, until)) {
    // A log begins off duty, so personal use may be the first thing in it.
    state = group.status ?? state ?? (group.indication === INDICATION_CODES['personal-use'] ? 'OFF' : null);
    indication = group.indication ?? indication;
    if (state === null) continue;
    const status = shown(state, indication);
    if (status === state) indication = INDICATION_CODES.none;
    const last = segments.at(-1);
    if (last) last.end = at;
    if (last?.status !== status) segments.push({ status, start: at, end: at, record: group.record });
  }
  const last = segments.at(-1);
  if (last) last.end = until;
  return segments;
}

interface Instant {
  status?: DutyState;
  indication?: number;
  record: string;
}

/** What begins at each moment, in order; if two records begin at the same moment, the one written last. */
function byInstant(records: readonly LogRecord[], until: number): [at: number, Instant][] {
  const instants = new Map<number, Instant>();
  for (const { id, event, status } of records) {
    if (status !== 'active' || (event.type !== 1 && event.type !== 3) || event.at >= until) continue;
    const instant = instants.get(event.at) ?? { record: id };
    const state = DUTY_STATES.find(name => DUTY_CODES[name] === event.code);
    if (event.type === 3) instant.indication = event.code;
    else if (state) instant.status = state;
    instant.record = id;
    instants.set(event.at, instant);
  }
  return [...instants].sort(([a], [b]) => a - b);
}

function shown(state: DutyState, indication: number): DutyStatus {
  if (state === 'OFF' && indication === INDICATION_CODES['personal-use']) return 'PC';
  if (state === 'ON' && indication === INDICATION_CODES['yard-move']) return 'YM';
  return state;
}
