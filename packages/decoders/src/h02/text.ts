import { degrees, type EpochMs, fromKnots, type Metres, metres } from '@milepost/units';
import { momentOf, twoDigits } from '../calendar.ts';
import { cellOf, cellsOf } from '../cell-fields.ts';
import type { TrackerEvent } from '../events.ts';
import { clockTimeOf, dayTimeOf, numberOf, timeOf } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import { positionOf } from '../position.ts';
import type { Attributes, DecodedMessage, PositionMessage } from '../protocol.ts';
import { ALARM_BITS, NEWER_ALARM_BITS, STATION_ALARM_BITS, statusOf } from './status.ts';

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

/** "pw", percent with two digits: "99 means 100%". */
function percentOf(written: string | undefined): number | null {
  const level = /^ ?\d{1,3} ?$/.test(written ?? '') ? Number(written) : null;
  return level === null || level > 100 ? null : level === 99 ? 100 : level;
}

/** V19 has a phone number and a SIM before the status word. */
const STATUS_WITHIN = 4;
const CELL_FIELDS = 4;

type Beside = Pick<PositionMessage, 'event' | 'ignition' | 'attributes'> &
  Partial<Pick<PositionMessage, 'satellites' | 'gsm'>>;

/** Status word, cell tower, battery level, SIM: what follows the date. */
function beside(rest: readonly string[], keyword = ''): Beside {
  const newer = keyword === 'V6' || keyword === 'V8';
  const at = rest.slice(0, STATUS_WITHIN).findIndex(field => STATUS.test(field));
  const word = at < 0 ? null : Number.parseInt(rest[at] ?? '', 16);
  const status = word === null ? null : statusOf(word, newer ? NEWER_ALARM_BITS : ALARM_BITS);
  const cell = cellOf(rest.slice(at + 1, at + 1 + CELL_FIELDS));
  const listed = at < 0 || cell !== null ? null : listedIn(rest.slice(at + 1), keyword);
  const signals = keyword === 'V8' ? signalsIn(rest.slice(at + 1 + CELL_FIELDS)) : null;
  const iccid = rest.find(field => ICCID.test(field))?.replace(/[F?]$/, '');
  const batteryLevel = listed || signals ? null : levelBehind(rest, at + CELL_FIELDS, cell !== null, keyword);
  const attributes = {
    ...status?.attributes,
    ...(cell === null ? {} : { cell }),
    ...(batteryLevel === null ? {} : { batteryLevel }),
    ...listed,
    ...signals?.attributes,
    ...(iccid === undefined ? {} : { iccid }),
  };
  const { satellites = null, gsm = null } = signals ?? {};
  return { event: status?.event ?? null, ignition: status?.ignition ?? null, satellites, gsm, attributes };
}

/** Behind the tower: bars, or with VI1 percent. */
function levelBehind(rest: readonly string[], at: number, hasCell: boolean, keyword: string): number | null {
  if (!hasCell && rest[at] !== '0') return null;
  return keyword === 'VI1' ? percentOf(rest[at + 1]) : levelOf(numberOf(rest[at + 1]));
}

/**
 * Behind the status word: percent of the battery, and a number of towers, country, network, then area and cell of each
 * (V1); nothing (VP1); or towers of another form (ALRM). Other trackers have a tower of zeros there.
 */
function listedIn(fields: readonly string[], keyword: string): Attributes | null {
  const [level, count = '', mcc = '', mnc = '', ...groups] = fields;
  const batteryLevel = percentOf(level);
  if (batteryLevel === null) return null;
  if (keyword === 'ALRM' || (keyword === 'VP1' && fields.length === 1)) return { batteryLevel };
  const towers = /^ ?[1-9] ?$/.test(count) ? Number(count) : 0;
  const cells: string[] = [];
  for (let at = 0; at + 1 < groups.length && at < 2 * towers; at += 2) {
    const cell = cellOf([mcc, mnc, groups[at], groups[at + 1]]);
    if (cell !== null) cells.push(cell);
  }
  return cells.length > 0 ? { batteryLevel, cells: cells.join(' ') } : null;
}

const SIGNAL_FIELDS = 4;
const NOISE_DBM = 110;
const MOST_BARS = 31;

/** V8: stations as MAC and signal, then satellites, signal, tenths of a volt, and percent of the battery. */
function signalsIn(fields: readonly string[]): Required<Pick<Beside, 'satellites' | 'gsm' | 'attributes'>> | null {
  const [satellites, gsm, tenths, level] = fields.slice(-SIGNAL_FIELDS).map(field => numberOf(field));
  if (fields.length < SIGNAL_FIELDS || fields.length % 2 !== 0) return null;
  const stations: string[] = [];
  for (let at = 0; at < fields.length - SIGNAL_FIELDS; at += 2) {
    const mac = (fields[at] ?? '').replace(/^0x/i, '').toUpperCase();
    if (!/^[0-9A-F]{12}$/.test(mac) || /^0+$/.test(mac)) continue;
    const signal = Number.parseInt(fields[at + 1] ?? '', 16);
    const written = mac.match(/../g)?.join(':') ?? mac;
    stations.push(Number.isNaN(signal) ? written : `${written}:${signal - NOISE_DBM}`);
  }
  const attributes = {
    ...(stations.length > 0 ? { wifi: stations.join(' ') } : {}),
    ...(tenths === null || tenths === undefined ? {} : { externalVoltage: tenths / 10 }),
    ...(typeof level === 'number' && level >= 0 && level <= 100 ? { batteryLevel: level } : {}),
  };
  return {
    satellites: satellites ?? null,
    gsm: typeof gsm === 'number' && gsm >= 0 && gsm <= MOST_BARS ? gsm : null,
    attributes,
  };
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
  const keyword = (fields[0] ?? '').toUpperCase();
  if (places.length > 0) {
    return places.map(({ end, position }, i) => {
      const next = places[i + 1];
      return positionOf({ ...position, ...beside(fields.slice(end, next && next.at - 1), keyword) });
    });
  }
  const from = statusWordAt(fields);
  if (from < 0) return null;
  const { event, attributes, satellites, gsm } = beside(fields.slice(from), keyword);
  const values = { ...(satellites ? { satellites } : {}), ...(typeof gsm === 'number' ? { gsm } : {}) };
  return [{ kind: 'status', time: null, event, attributes: { ...attributes, ...values } }];
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
export const confirmation: TextReader = (written, receivedAt) => {
  const fields = written.flatMap(apart);
  const place = reportIn(fields, receivedAt);
  // Some commands have no time, and neither have their confirmations.
  const isTimed = place !== null && CLOCK.test(fields[place.at - 2] ?? '');
  const end = place ? Math.max(place.at - (isTimed ? 2 : 1), 1) : fields.length;
  const text = fields.slice(1, end).join(',');
  const reference = isTimed ? referenceOf(fields[end] ?? '') : null;
  const driven = mileageIn(fields);
  const reports = place ? (report(fields, receivedAt) ?? []) : [];
  return [
    { kind: 'reply', text, reference },
    ...reports.map(message => (message.kind === 'position' ? { ...message, odometer: driven } : message)),
  ];
};

/** Two examples of a document have no comma between the date and the status word. */
const apart = (field: string): string[] =>
  /^\d{6}[0-9A-F]{8}$/i.test(field) && /[A-F]/i.test(field) ? [field.slice(0, 6), field.slice(6)] : [field];

/** "S32": the mileage in the way of a second at a knot, 1852/3600 m. */
const KNOT_SECOND = 1852 / 3600;
export const mileageOf = (written: string): Metres => metres(Number(written) * KNOT_SECOND);
const mileageIn = ([, command, written = '']: readonly string[]): Metres | null =>
  command === 'S32' && /^\d{1,10}(\.\d+)?$/.test(written) ? mileageOf(written) : null;

/** ALRM, "type": 3 is a geofence without a direction. */
const ALARM_TYPES: Readonly<Record<string, TrackerEvent>> = { 1: 'sos', 2: 'batteryLow' };

/** ALRM: an alarm report, even if the status word has no alarm. Its type is followed by the time. */
export const alarm: TextReader = (fields, receivedAt) => {
  const named = CLOCK.test(fields[2] ?? '') ? (ALARM_TYPES[fields[1] ?? ''] ?? null) : null;
  return (
    located(fields, receivedAt)?.map(message =>
      message.kind === 'position' || message.kind === 'status'
        ? { ...message, event: named ?? message.event ?? 'alarm' }
        : message,
    ) ?? null
  );
};

/** VI1 and ALRM may have a number in the place of the validity: how an address is to be written, 0 or 1. */
const located: TextReader = (fields, receivedAt) => {
  const place = reportIn(fields, receivedAt);
  if (place === null) return otherKeyword(fields, receivedAt);
  const flag = fields[place.at] ?? '';
  return otherKeyword(flag === '0' ? fields.with(place.at, 'A') : fields, receivedAt);
};

const POINT = /^ ?([AVB]),([^;]*?),(?=[NS],)/i;
const LATEST_MS = 86_400_000;
const MONTHS_BACK = 3;

/** "DDHHmmss": the last such moment before the arrival. */
function dayClockTime(written: string, receivedAt: EpochMs): EpochMs | null {
  if (!/^\d{8}$/.test(written)) return null;
  const arrival = new Date(receivedAt + LATEST_MS);
  const [day, hour, minute, second] = [0, 2, 4, 6].map(at => twoDigits(written, at));
  for (let back = 0; back <= MONTHS_BACK; back++) {
    const month = new Date(Date.UTC(arrival.getUTCFullYear(), arrival.getUTCMonth() - back));
    const year = month.getUTCFullYear();
    const time = momentOf(year, month.getUTCMonth() + 1, day ?? 0, hour ?? 0, minute ?? 0, second ?? 0);
    if (time !== null && time <= arrival.getTime()) return time;
  }
  return null;
}

/**
 * BC, "Blind Spots Uploading": time, length, then points with `;` in between: validity, place, speed, course, day with
 * the time, status word, tower.
 */
export const blindSpots: TextReader = (fields, receivedAt) => {
  const points = fields.slice(3).join(',').split(';');
  if (!POINT.test(points[0] ?? '')) return otherKeyword(fields, receivedAt);
  const messages = points.flatMap(point => {
    const parts = point.trim().split(',');
    const place = placeIn(parts, 1);
    const time = place && dayClockTime((parts[place.end + 2] ?? '').trim(), receivedAt);
    if (!place || time === null) return [];
    const [speed, course] = [numberOf(parts[place.end]), numberOf(parts[place.end + 1])];
    return [
      positionOf({
        time,
        valid: VALID.has((parts[place.at - 1] ?? '').toUpperCase()),
        lat: place.lat,
        lon: place.lon,
        speed: speed === null ? null : fromKnots(speed),
        course: course === null ? null : degrees(course),
        ...beside(parts.slice(place.end + 3)),
      }),
    ];
  });
  return messages.length > 0 ? messages : otherKeyword(fields, receivedAt);
};

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
function ending(
  fields: readonly string[],
  alarms = ALARM_BITS,
): {
  date: string;
  status: ReturnType<typeof statusOf> | null;
  level: number | null;
} {
  const at = fields.findLastIndex(field => STATUS.test(field));
  return {
    date: fields[at - 1] ?? '',
    status: at < 0 ? null : statusOf(Number.parseInt(fields[at] ?? '', 16), alarms),
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
  // The description has a comma between country and network, the example has none.
  const [, , network = '', ...rest] = fields;
  const mnc = network.length > COUNTRY_DIGITS ? network.slice(COUNTRY_DIGITS) : (rest.shift() ?? '');
  const groups = Math.min(Number(rest[0]) || 0, 16);
  return status(fields, cellsOf(network.slice(0, COUNTRY_DIGITS), mnc, rest.slice(1, 1 + groups * 4), 4));
};
const COUNTRY_DIGITS = 3;

const STATION = /^[0-9A-F]{14}$/i;

/** V5 of the G20LS: time, which its example leaves out, number of stations, each as MAC and a signal without a unit, battery. */
const stations: TextReader = (fields, receivedAt) => {
  if (reportIn(fields, receivedAt)) return report(fields, receivedAt);
  const at = CLOCK.test(fields[1] ?? '') ? 2 : 1;
  const count = /^\d$/.test(fields[at] ?? '') ? Number(fields[at]) : null;
  const found = fields.slice(at + 1, at + 1 + (count ?? 0));
  if (count === null || !found.every(field => STATION.test(field))) return report(fields, receivedAt);
  const { date, status } = ending(fields, STATION_ALARM_BITS);
  const wifi = found
    .map(field =>
      field
        .slice(0, 12)
        .toUpperCase()
        .replace(/(..)(?=.)/g, '$1:'),
    )
    .join(' ');
  const attributes = { ...(wifi === '' ? {} : { wifi }), ...status?.attributes };
  const time = at === 2 ? timeOf(fields[1] ?? '', date, 'dmy') : null;
  return [{ kind: 'status', time, event: status?.event ?? null, attributes }];
};

/** The SIM's number. */
const sim: TextReader = (fields, receivedAt) =>
  ICCID.test(fields[1] ?? '')
    ? [{ kind: 'status', time: null, event: null, attributes: { iccid: (fields[1] ?? '').replace(/[F?]$/, '') } }]
    : otherKeyword(fields, receivedAt);

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
  /** The tracker waits for `R12` with the time (SinoTrack). */
  readonly confirmed?: true;
}

export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  V0: { read: greeting, what: 'login', echoed: true },
  V1: { read: report, what: 'report' },
  V2: { read: report, what: 'report' },
  V5: { read: stations, what: 'Wi-Fi stations, or a report' },
  V6: { read: report, what: 'report with the SIM', confirmed: true },
  V8: { read: report, what: 'report with signals and the battery', confirmed: true },
  V19: { read: report, what: 'report with telephone number and SIM' },
  V4: { read: confirmation, what: 'confirmation of a command, with a report' },
  V3: { read: towers, what: 'towers, or a report' },
  NBR: { read: neighbours, what: 'towers' },
  VI1: { read: located, what: 'report, with a request for an address' },
  BC: { read: blindSpots, what: 'reports from without a network' },
  VP1: { read: watchTowers, what: 'report without a clock, or towers' },
  LINK: { read: link, what: 'signal, satellites, battery' },
  ALRM: { read: alarm, what: 'alarm, with a report' },
  HTBT: { read: heartbeat, what: 'sign of life, with the battery', echoed: true },
  XT: { read: heartbeat, what: 'sign of life, with the battery' },
  ICCID: { read: sim, what: 'the SIM' },
  SMS: { read: answer, what: 'answer to a text command' },
};
