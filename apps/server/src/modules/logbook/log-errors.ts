import type { FieldError } from '@milepost/contract';
import type { LogErrorCode, VectorError } from '@milepost/hos';

/** What is wrong with a duty log, in a sentence for whoever sends it. */
const SENTENCES: Readonly<Record<LogErrorCode | 'unknown-rule-set', string>> = {
  'not-an-object': 'A duty log is an object.',
  'unknown-rule-set': 'There is no such rule set.',
  'unknown-time-zone': 'There is no such time zone. Use its IANA name: America/Chicago.',
  'bad-start-of-day': 'Write the start of the day as HH:MM.',
  'no-segments': 'A duty log has at least one segment.',
  'too-many-segments': 'The log has too many segments.',
  'too-long': 'The log is longer than four years.',
  'not-a-segment': 'A segment has a status, a start and an end.',
  'unknown-status': 'A status is OFF, SB, D, ON, PC or YM.',
  'bad-time': 'Write the time as ISO 8601 with a zone, or in milliseconds since 1970.',
  'empty-segment': 'A segment ends after it starts.',
  gap: 'There is a gap before this segment: segments meet.',
  overlap: 'This segment begins before the one before it has ended.',
  'too-many-declarations': 'The log has too many declarations.',
  'not-a-declaration': 'A declaration has an exception, a start and an end.',
  'unknown-exception': 'There is no such exception.',
};

/** `segments[3].start` as the problem’s paths are written: `segments.3.start`. */
export function fieldErrorsOf(errors: readonly VectorError[]): FieldError[] {
  return errors.map(({ code, at }) => ({
    field: at.replaceAll(/\[(\d+)\]/g, '.$1'),
    code,
    message: Object.hasOwn(SENTENCES, code) ? SENTENCES[code as LogErrorCode] : 'This is not right.',
  }));
}
