import type { FieldError } from '@milepost/contract';
import type { LogErrorCode, VectorError } from '@milepost/hos';

/** What is wrong with a duty log, as a sentence for the caller. */
const SENTENCES: Readonly<Record<LogErrorCode | 'unknown-rule-set', string>> = {
  'not-an-object': 'A duty log must be an object.',
  'unknown-rule-set': 'Unknown rule set.',
  'unknown-time-zone': 'Unknown time zone. Use its IANA name, such as America/Chicago.',
  'bad-start-of-day': 'Enter the start of the day as HH:MM.',
  'no-segments': 'A duty log has at least one segment.',
  'too-many-segments': 'The log has too many segments.',
  'too-long': 'The log is longer than four years.',
  'not-a-segment': 'A segment has a status, a start and an end.',
  'unknown-status': 'A status is OFF, SB, D, ON, PC or YM.',
  'bad-time': 'Enter the time in ISO 8601 with a time zone, or in milliseconds since 1970.',
  'empty-segment': 'A segment must end after it starts.',
  gap: 'There is a gap before this segment. Segments must meet.',
  overlap: 'This segment begins before the previous one ends.',
  'too-many-declarations': 'The log has too many declarations.',
  'not-a-declaration': 'A declaration has an exception, a start and an end.',
  'unknown-exception': 'Unknown exception.',
};

/** Converts `segments[3].start` to the form of a problem’s paths, `segments.3.start`. */
export function fieldErrorsOf(errors: readonly VectorError[]): FieldError[] {
  return errors.map(({ code, at }) => ({
    field: at.replaceAll(/\[(\d+)\]/g, '.$1'),
    code,
    message: Object.hasOwn(SENTENCES, code) ? SENTENCES[code as LogErrorCode] : 'This value is not valid.',
  }));
}
