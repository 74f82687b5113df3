import type { HomeTerminal, RawLog } from '@milepost/hos';
import type { LogRecord } from './record.ts';
import { shownSegments } from './shown-segments.ts';

/**
 * The duty log made of the active records, as input for the hours-of-service rules (`readDutyLog` of `packages/hos`):
 * from the first duty status to `until`, without gaps. Null if no duty status was recorded before `until`.
 */
export function dutySegments(records: readonly LogRecord[], home: HomeTerminal, until: number): RawLog | null {
  const segments = shownSegments(records, until).map(({ status, start, end }) => ({ status, start, end }));
  return segments.length === 0 ? null : { ...rawTerminal(home), segments };
}

/** The home terminal as a raw log names it. */
export const rawTerminal = ({ timeZone, startOfDay }: HomeTerminal): Omit<RawLog, 'segments'> => ({
  timezone: timeZone,
  homeTerminalStartOfDay: clock(startOfDay),
});

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
