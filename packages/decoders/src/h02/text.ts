import { degrees, type EpochMs, fromKnots, type Metres, metres } from '@milepost/units';
import { cellOf, cellsOf } from '../cell-fields.ts';
import { clockTimeOf, dayTimeOf, numberOf, timeOf } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import { positionOf } from '../position.ts';
import type { Attributes, DecodedMessage, PositionMessage } from '../protocol.ts';
import { statusOf } from './status.ts';

/** Reads a text frame by its keyword; null if the content does not fit the keyword. Fields from the keyword on. */
export type TextReader = (fields: readonly string[], receivedAt: EpochMs) => DecodedMessage[] | null;

/** Some write a space on either side, as an example in Cantrack's document does. */
const STATUS = /^ ?[0-9A-F]{8} ?$/i;
const ICCID = /^\d{18,19}[\dF?]$/;
const DATE = /^\d{6}$/;
/** A four-digit year, only where the document has the date, because a status word has eight characters, too. */
const LONG_DATE = /^(\d{4})20(\d\d)$/;
const YEAR_FIRST = /^20(\d\d)(\d\d)(\d\d)$/;
const DATE_SEPARATORS = /[-/.]/g;

/** `at` is the index of the validity field, `end` the one after the date. */
interface Place {
  readonly at: number;
  readonly end: number;
  readonly position: Pick<PositionMessage, 'time' | 'valid' | 'lat' | 'lon' | 'speed' | 'course'>;
}

/** Seen in recordings: one more field before the date. */
const DATE_AFTER = [2, 3];
/** These mean a valid fix; anything else, an invalid one. `B` is one of BeiDou (Cantrack). */
const VALID = new Set(['A', 'B', '1']);

/** Time, validity, latitude, longitude, speed in knots, course, date. */
function reportIn(fields: readonly string[], receivedAt: EpochMs, from = 0): Place | null {
  const place = placeIn(fields, from + 1);
  if (place === null) return null;
  const after = DATE_AFTER.find(offset => DATE.test(fields[place.end + offset] ?? '')) ?? DATE_AFTER[0] ?? 0;
  const end = place.end + after + 1;
  const time = fixTime(fields[place.at - 2] ?? '', dateOf(fields[end - 1] ?? ''), receivedAt);
  if (time === null) return null;
  const speed = numberOf(fields[place.end]);
  const course = numberOf(fields[place.end + 1]);
  const position = {
    time,
    valid: VALID.has((fields[place.at - 1] ?? '').toUpperCase()),
    lat: place.lat,
    lon: place.lon,
    speed: speed === null ? null : fromKnots(speed),
    course: course === null ? null : degrees(course),
  };
  return { at: place.at - 1, end, position };
}

/** `ddmmyy` of a date in any form. */
const dateOf = (written: string): string =>
  written.length === 6
    ? written
    : written.replace(DATE_SEPARATORS, '').replace(LONG_DATE, '$1$2').replace(YEAR_FIRST, '$3$2$1');

const CLOCK = /^\d\d:?\d\d:?\d\d/;

/** Some trackers leave out the time (VP1), or the date: the nearest matching moment to the arrival is used. */
function fixTime(clock: string, date: string, receivedAt: EpochMs): EpochMs | null {
  if (date === '') return clockTimeOf(clock, receivedAt);
  return CLOCK.test(clock) ? timeOf(clock, date, 'dmy') : dayTimeOf(date, 'dmy', receivedAt);
}

const BARS = 6;
/** The battery level of six bars, as percent. */
export const levelOf = (bars: number | null): number | null =>
  bars === null || bars < 1 || bars > BARS ? null : Math.round((bars * 100) / BARS);

/** V19 has a phone number and a SIM before the status word. */
const STATUS_WITHIN = 4;

/** Status word, cell tower, battery level, SIM: what follows the date. */
function beside(rest: readonly string[]): Pick<PositionMessage, 'event' | 'ignition' | 'attributes'> {
  const at = rest.slice(0, STATUS_WITHIN).findIndex(field => STATUS.test(field));
  const status = at < 0 ? null : statusOf(Number.parseInt(rest[at] ?? '', 16));
  const cell = cellOf(rest.slice(at + 1, at + 5));
  const batteryLevel = cell === null && rest[at + 4] !== '0' ? null : levelOf(numberOf(rest[at + 5]));
  const iccid = rest.find(field => ICCID.test(field))?.replace(/[F?]$/, '');
  const attributes = {
    ...status?.attributes,
    ...(cell === null ? {} : { cell }),
    ...(batteryLevel === null ? {} : { batteryLevel }),
    ...(iccid === undefined ? {} : { iccid }),
  };
  return { event: status?.event ?? null, ignition: status?.ignition ?? null, attributes };
}

function hasClock(fields: readonly string[], from: number): boolean {
  for (let at = from; at < fields.length; at++) if (CLOCK.test(fields[at] ?? '')) return true;
  return false;
}

/** One in most frames; a tracker that was offline may send several in one. Each has its own time. */
function reportsIn(fields: readonly string[], receivedAt: EpochMs): Place[] {
  const places: Place[] = [];
  for (let from = 0; from < fields.length; from = places.at(-1)?.end ?? 0) {
    const place = from === 0 || hasClock(fields, from) ? reportIn(fields, receivedAt, from) : null;
    if (place === null || (from > 0 && !CLOCK.test(fields[place.at - 1] ?? ''))) break;
    places.push(place);
  }
  return places;
}

/** V1, V2, V5, V6, V8, V19, VI1 …: a report. Without a fix, a status with the other values. */
export const report: TextReader = (fields, receivedAt) => {
  const places = reportsIn(fields, receivedAt);
  if (places.length > 0) {
    return places.map(({ end, position }, i) => {
      const next = places[i + 1];
      return positionOf({ ...position, ...beside(fields.slice(end, next && next.at - 1)) });
    });
  }
  const from = statusWordAt(fields);
  if (from < 0) return null;
  const { event, attributes } = beside(fields.slice(from));
  return [{ kind: 'status', time: null, event, attributes }];
};

/**
 * The status word follows the date, which may be empty. Other fields of eight digits, such as an angle without its
 * decimal point, are not the status word.
 */
const statusWordAt = (fields: readonly string[]): number =>
  fields.findIndex((field, at) => at > 1 && STATUS.test(field) && /^(\d{6})?$/.test(fields[at - 1] ?? '-'));

const DAY_S = 86_400;

/** A confirmation repeats the time in the command; we send the reference there, as seconds of a day. */
export const clockOf = (reference: number): string => {
  const seconds = reference % DAY_S;
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map(part => String(part).padStart(2, '0'))
    .join('');
};
export const referenceOf = (clock: string): number | null => {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(clock);
  return match ? Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) : null;
};

/** V4: a confirmation, with the command, the result, the command's time, and a report. */
export const confirmation: TextReader = (fields, receivedAt) => {
  const place = reportIn(fields, receivedAt);
  const end = place ? place.at - 2 : fields.length;
  const text = fields.slice(1, end).join(',');
  const reference = place ? referenceOf(fields[end] ?? '') : null;
  const driven = mileageIn(fields);
  const reports = place ? (report(fields, receivedAt) ?? []) : [];
  return [
    { kind: 'reply', text, reference },
    ...reports.map(message => (message.kind === 'position' ? { ...message, odometer: driven } : message)),
  ];
};

/** "S32": the mileage in the way of a second at a knot, 1852/3600 m. */
const KNOT_SECOND = 1852 / 3600;
export const mileageOf = (written: string): Metres => metres(Number(written) * KNOT_SECOND);
const mileageIn = ([, command, written = '']: readonly string[]): Metres | null =>
  command === 'S32' && /^\d{1,10}(\.\d+)?$/.test(written) ? mileageOf(written) : null;

/** ALRM: an alarm report, even if the status word has no alarm. */
export const alarm: TextReader = (fields, receivedAt) =>
  otherKeyword(fields, receivedAt)?.map(message =>
    (message.kind === 'position' || message.kind === 'status') && message.event === null
      ? { ...message, event: 'alarm' }
      : message,
  ) ?? null;

/** HTBT, XT: a heartbeat with the battery level in percent. */
export const heartbeat: TextReader = fields => {
  const level = numberOf(fields.at(-1));
  const attributes: Attributes = level === null || fields.length < 2 ? {} : { batteryLevel: level };
  return [{ kind: 'heartbeat', attributes }];
};

/** LINK: time, signal, satellites, battery in percent, steps, turns, date, status. */
export const link: TextReader = ([, clock = '', gsm, satellites, battery, steps, , date = '', word]) => {
  const status = word !== undefined && STATUS.test(word) ? statusOf(Number.parseInt(word, 16)) : null;
  const values = {
    gsm: numberOf(gsm),
    satellites: numberOf(satellites),
    batteryLevel: numberOf(battery),
    steps: numberOf(steps),
  };
  const attributes = { ...Object.fromEntries(Object.entries(values).filter(isSent)), ...status?.attributes };
  return [{ kind: 'status', time: timeOf(clock, date, 'dmy'), event: status?.event ?? null, attributes }];
};
const isSent = (entry: [string, number | null]): entry is [string, number] => entry[1] !== null;

/** Ends with date and status; a level in bars may follow. */
function ending(fields: readonly string[]): {
  date: string;
  status: ReturnType<typeof statusOf> | null;
  level: number | null;
} {
  const at = fields.findLastIndex(field => STATUS.test(field));
  return {
    date: fields[at - 1] ?? '',
    status: at < 0 ? null : statusOf(Number.parseInt(fields[at] ?? '', 16)),
    level: at < 0 ? null : levelOf(numberOf(fields[at + 1])),
  };
}

const status = (fields: readonly string[], cells: string): DecodedMessage[] => {
  const { date, status, level } = ending(fields);
  const attributes = {
    ...(cells === '' ? {} : { cells }),
    ...status?.attributes,
    ...(level === null ? {} : { batteryLevel: level }),
  };
  return [{ kind: 'status', time: timeOf(fields[1] ?? '', date, 'dmy'), event: status?.event ?? null, attributes }];
};

/** NBR: time, country, network, delay, number of towers, and for each its area, cell and signal. */
export const neighbours: TextReader = fields => {
  const [, , mcc = '', mnc = '', , count = ''] = fields;
  const towers = Math.min(Number(count) || 0, 16);
  return status(fields, cellsOf(mcc, mnc, fields.slice(6, 6 + towers * 3), 3));
};

/**
 * V3: time, country with network, number of towers, and for each its area, cell, signal and delay. Of the ST-901 and its
 * like, a report whose address is asked for in English (V2: in Chinese).
 */
export const towers: TextReader = (fields, receivedAt) => {
  if (/^[AV]$/i.test(fields[2] ?? '') && reportIn(fields, receivedAt)) return report(fields, receivedAt);
  const [, , network = '', count = ''] = fields;
  const groups = Math.min(Number(count) || 0, 16);
  return status(fields, cellsOf(network.slice(0, 3), network.slice(3), fields.slice(4, 4 + groups * 4), 4));
};

/** VP1: a report without a time; or `V`, country, network, then area, cell and signal, further ones after a `Y`. */
const watchTowers: TextReader = (fields, receivedAt) => {
  if (reportIn(fields, receivedAt)) return report(fields, receivedAt);
  const [, flag, mcc = '', mnc = '', ...rest] = fields;
  return flag === 'V' ? status([], cellsOf(mcc, mnc, rest.join(',').replaceAll('Y', ',').split(','), 3)) : null;
};

/** Any other keyword: its report if it has one, otherwise its text. */
export const otherKeyword: TextReader = (fields, receivedAt) =>
  reportIn(fields, receivedAt)
    ? report(fields, receivedAt)
    : [{ kind: 'status', time: null, event: null, attributes: { text: fields.join(',') } }];
export const answer: TextReader = fields => [{ kind: 'reply', text: fields.slice(1).join(','), reference: null }];

/** V0: the login of some makers, without content; of others, a report. */
const greeting: TextReader = (fields, receivedAt) =>
  fields.length === 1 ? [{ kind: 'heartbeat', attributes: {} }] : otherKeyword(fields, receivedAt);

interface Keyword {
  readonly read: TextReader;
  readonly what: string;
  /** The tracker waits for its own frame to come back (Cantrack). */
  readonly echoed?: true;
}

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  V0: { read: greeting, what: 'login', echoed: true },
  V1: { read: report, what: 'report' },
  V2: { read: report, what: 'report' },
  V5: { read: report, what: 'report' },
  V6: { read: report, what: 'report with the SIM' },
  V8: { read: report, what: 'report' },
  V19: { read: report, what: 'report with telephone number and SIM' },
  V4: { read: confirmation, what: 'confirmation of a command, with a report' },
  V3: { read: towers, what: 'towers, or a report' },
  NBR: { read: neighbours, what: 'towers' },
  VP1: { read: watchTowers, what: 'report without a clock, or towers' },
  LINK: { read: link, what: 'signal, satellites, battery' },
  ALRM: { read: alarm, what: 'alarm, with a report' },
  HTBT: { read: heartbeat, what: 'sign of life, with the battery', echoed: true },
  XT: { read: heartbeat, what: 'sign of life, with the battery' },
  SMS: { read: answer, what: 'answer to a text command' },
};
