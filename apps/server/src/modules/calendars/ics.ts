/** iCalendar (RFC 5545), as much as all-day and timed events need. Times are UTC, so no time zones have to be defined. */

export interface CalendarEvent {
  /** The same for as long as it is the same event (3.8.4.7). */
  readonly uid: string;
  /** A day, or from a time on up to another. */
  readonly when: { readonly day: string } | { readonly from: Date; readonly to: Date };
  readonly summary: string;
  readonly description?: string | undefined;
  readonly location?: string | undefined;
  readonly url?: string | undefined;
  readonly isCancelled?: boolean;
  /** When it was last changed. */
  readonly changedAt: Date;
}

const LINE_END = '\r\n';
/** Octets without the line end (3.1). */
const LINE_OCTETS = 75;

export function writeCalendar(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Milepost//Milepost//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${textOf(name)}`,
    `X-WR-CALNAME:${textOf(name)}`,
    // RFC 7986 section 5.7, and what came before it.
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...events.flatMap(linesOf),
    'END:VCALENDAR',
  ];
  return lines.map(line => folded(line) + LINE_END).join('');
}

function linesOf({ changedAt, description, isCancelled, location, summary, uid, url, when }: CalendarEvent): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${textOf(uid)}`,
    `DTSTAMP:${timeOf(changedAt)}`,
    `LAST-MODIFIED:${timeOf(changedAt)}`,
    ...('day' in when
      ? [
          `DTSTART;VALUE=DATE:${dateOf(when.day)}`,
          `DTEND;VALUE=DATE:${dateOf(dayAfter(when.day))}`,
          'TRANSP:TRANSPARENT',
        ]
      : [`DTSTART:${timeOf(when.from)}`, `DTEND:${timeOf(when.to)}`]),
    `SUMMARY:${textOf(summary)}`,
    ...(description ? [`DESCRIPTION:${textOf(description)}`] : []),
    ...(location ? [`LOCATION:${textOf(location)}`] : []),
    // A URI is not escaped (3.3.13).
    ...(url ? [`URL:${url}`] : []),
    `STATUS:${isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    'END:VEVENT',
  ];
}

/** 3.3.11; control characters but line ends and tabs have no place in a text. */
export const textOf = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(/[\\;,]/g, character => `\\${character}`)
    .replaceAll('\n', '\\n');

/** A long line goes on in the next, after a space; never within a character (3.1). */
export function folded(line: string): string {
  const parts: string[] = [];
  let part = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LINE_OCTETS) {
      parts.push(part);
      part = ' ';
      octets = 1;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join(LINE_END);
}

/** 3.3.5, form 2. */
const timeOf = (time: Date): string => `${time.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
const dateOf = (day: string): string => day.replaceAll('-', '');
/** An event ends before its end (3.6.1). */
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
