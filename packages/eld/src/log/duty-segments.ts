import type { DutyStatus, HomeTerminal, RawLog } from '@milepost/hos';
import { DUTY_CODES, DUTY_STATES, type DutyState, INDICATION_CODES } from '../event/codes.ts';
import type { LogRecord } from './record.ts';

/**
 * The duty log made of the active records, as input for the hours-of-service rules (`readDutyLog` of `packages/hos`):
 * from the first duty status to `until`, without gaps. Personal use counts only while off duty, a yard move only while
 * on duty, and each ends with that status. Null if no duty status was recorded before `until`.
 */
export function dutySegments(
  records: readonly LogRecord[],
  { timeZone, startOfDay }: HomeTerminal,
  until: number,
): RawLog | null {
  const segments: { status: DutyStatus; start: number; end: number }[] = [];
  let state: DutyState | null = null;
  let indication = 0;
  for (const [at, group] of byInstant(records, until)) {
    state = group.status ?? state;
    indication = group.indication ?? indication;
    if (state === null) continue;
    const status = shown(state, indication);
    if (status === state) indication = INDICATION_CODES.none;
    const last = segments.at(-1);
    if (last) last.end = at;
    if (last?.status !== status) segments.push({ status, start: at, end: at });
  }
  const last = segments.at(-1);
  if (!last) return null;
  last.end = until;
  return { timezone: timeZone, homeTerminalStartOfDay: clock(startOfDay), segments };
}

interface Instant {
  status?: DutyState;
  indication?: number;
}

/** What begins at each moment, in order; if two records begin at the same moment, the one written last. */
function byInstant(records: readonly LogRecord[], until: number): [at: number, Instant][] {
  const instants = new Map<number, Instant>();
  for (const { event, status } of records) {
    if (status !== 'active' || (event.type !== 1 && event.type !== 3) || event.at >= until) continue;
    const instant = instants.get(event.at) ?? {};
    const state = DUTY_STATES.find(name => DUTY_CODES[name] === event.code);
    if (event.type === 3) instant.indication = event.code;
    else if (state) instant.status = state;
    instants.set(event.at, instant);
  }
  return [...instants].sort(([a], [b]) => a - b);
}

function shown(state: DutyState, indication: number): DutyStatus {
  if (state === 'OFF' && indication === INDICATION_CODES['personal-use']) return 'PC';
  if (state === 'ON' && indication === INDICATION_CODES['yard-move']) return 'YM';
  return state;
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
