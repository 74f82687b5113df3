import type { EpochMs } from '@milepost/units';
import type { DutyLog, HomeTerminal, Segment, UncheckedLog } from './duty-log.ts';
import type { LogError, LogErrorCode } from './raw-log.ts';
import { type Fields, isObject, type Report, readTime } from './raw-values.ts';
import { readDeclarations } from './read-declarations.ts';
import { failure, type Result, success } from './result.ts';
import { isDutyStatus } from './status.ts';
import { zoneNamed } from './zone.ts';

/** More than the busiest driver makes in four years; longer input is refused. */
export const MAX_SEGMENTS = 20_000;
const MAX_SPAN = 4 * 366 * 86_400_000;
/** The first few errors are enough to help the reader. */
const MAX_ERRORS = 20;

/**
 * Turns any value into a duty log or a list of errors. Segments may come in any order, but must meet without gaps or
 * overlaps. Never throws.
 *
 * @param raw a `RawLog`, as parsed from JSON
 */
export function readDutyLog(raw: unknown): Result<DutyLog, LogError> {
  if (!isObject(raw)) return failure({ code: 'not-an-object', at: '' });
  const errors: LogError[] = [];
  const report = (code: LogErrorCode, at: string): null => {
    if (errors.length < MAX_ERRORS) errors.push({ code, at });
    return null;
  };
  const terminal = readTerminal(raw, report);
  const segments = readSegments(raw.segments, report);
  const declarations = segments && readDeclarations(raw, segments, report);
  if (!terminal || !segments || !declarations || errors.length > 0) return failure(...errors);
  return success(asDutyLog({ terminal, segments, declarations }));
}

/** For logs that are already known to be valid. */
export const asDutyLog = (log: UncheckedLog): DutyLog => log as DutyLog;

function readTerminal(raw: Fields, report: Report): HomeTerminal | null {
  const { timezone: timeZone, homeTerminalStartOfDay: hour = '00:00' } = raw;
  if (typeof timeZone !== 'string' || zoneNamed(timeZone) === null) return report('unknown-time-zone', 'timezone');
  const [, hours, minutes] = (typeof hour === 'string' && /^([01]\d|2[0-3]):([0-5]\d)$/.exec(hour)) || [];
  if (hours === undefined) return report('bad-start-of-day', 'homeTerminalStartOfDay');
  return { timeZone, startOfDay: Number(hours) * 60 + Number(minutes) };
}

function readSegments(raw: unknown, report: Report): readonly Segment[] | null {
  if (!Array.isArray(raw) || raw.length === 0) return report('no-segments', 'segments');
  if (raw.length > MAX_SEGMENTS) return report('too-many-segments', 'segments');
  const numbered: Numbered[] = [];
  let sound = true;
  for (let index = 0; index < raw.length; index++) {
    const segment = readSegment(raw[index], `segments[${index}]`, report);
    if (segment) numbered.push({ ...segment, at: `segments[${index}]` });
    else sound = false;
  }
  if (!sound) return null;
  numbered.sort((a, b) => a.start - b.start);
  return joined(numbered, report);
}

interface Numbered {
  readonly status: Segment['status'];
  readonly start: EpochMs;
  readonly end: EpochMs | null;
  readonly at: string;
}

function readSegment(raw: unknown, at: string, report: Report): Omit<Numbered, 'at'> | null {
  if (!isObject(raw)) return report('not-a-segment', at);
  const { status } = raw;
  if (!isDutyStatus(status)) return report('unknown-status', `${at}.status`);
  const start = readTime(raw.start);
  if (start === null) return report('bad-time', `${at}.start`);
  const open = raw.end === undefined || raw.end === null;
  const end = open ? null : readTime(raw.end);
  if (end === null && !open) return report('bad-time', `${at}.end`);
  return { status, start, end };
}

/**
 * In order: each must begin where the previous one ended, and have a duration. The last may be open, and is then empty.
 */
function joined(numbered: readonly Numbered[], report: Report): readonly Segment[] | null {
  const segments: Segment[] = [];
  let sound = true;
  for (const [index, { status, start, end, at }] of numbered.entries()) {
    const last = index === numbered.length - 1;
    const previous = segments.at(-1);
    if (end === null && !last) sound = report('bad-time', `${at}.end`) !== null;
    else if (end !== null && end <= start) sound = report('empty-segment', at) !== null;
    if (previous && start > previous.end) sound = report('gap', at) !== null;
    else if (previous && start < previous.end) sound = report('overlap', at) !== null;
    segments.push({ status, start, end: end ?? start });
  }
  const [first, last] = [segments.at(0), segments.at(-1)];
  if (first && last && last.end - first.start > MAX_SPAN) return report('too-long', 'segments');
  return sound ? segments : null;
}
