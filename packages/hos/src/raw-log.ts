/**
 * A duty log as it arrives over the network or from a file. Not trusted: `readDutyLog` accepts any value. Times are ISO
 * 8601 with an offset (`2026-02-02T06:00:00-06:00`, `…Z`) or milliseconds since 1970.
 */
export interface RawLog {
  /** IANA name. */
  readonly timezone: string;
  /** `HH:MM` on the home terminal's clock; midnight when absent. */
  readonly homeTerminalStartOfDay?: string;
  readonly segments: readonly RawSegment[];
  /** Declared for the whole log. */
  readonly flags?: Readonly<Record<string, boolean>>;
  /** Declared for part of the log. */
  readonly declarations?: readonly RawDeclaration[];
}

export interface RawSegment {
  readonly status: string;
  readonly start: string | number;
  /** May be absent in the last segment, which is the driver's current status. */
  readonly end?: string | number | null;
}

export interface RawDeclaration {
  readonly exception: string;
  readonly start: string | number;
  readonly end?: string | number | null;
}

export const LOG_ERROR_CODES = [
  'not-an-object',
  'unknown-time-zone',
  'bad-start-of-day',
  'no-segments',
  'too-many-segments',
  'too-long',
  'not-a-segment',
  'unknown-status',
  'bad-time',
  'empty-segment',
  'gap',
  'overlap',
  'too-many-declarations',
  'not-a-declaration',
  'unknown-exception',
] as const;
export type LogErrorCode = (typeof LOG_ERROR_CODES)[number];

export interface LogError {
  readonly code: LogErrorCode;
  /** Where the error is: `segments[3].start`, `timezone`. Segments are numbered in input order, from 0. */
  readonly at: string;
}
