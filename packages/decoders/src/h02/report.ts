import { degrees, type EpochMs, fromKnots, type Metres, metres } from '@milepost/units';
import { momentOf, twoDigits } from '../calendar.ts';
import type { TrackerEvent } from '../events.ts';
import { numberOf } from '../nmea.ts';
import { placeIn } from '../place-fields.ts';
import { positionOf } from '../position.ts';
import { reasonOf } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import { beside, STATUS } from './beside.ts';
import { CLOCK, type Place, reportIn, VALID } from './place.ts';

/** Reads a text frame by its keyword; null if the content does not fit the keyword. Fields from the keyword on. */
export type TextReader = (fields: readonly string[], receivedAt: EpochMs) => DecodedMessage[] | null;

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
  const { event, ignition, attributes, satellites, gsm } = beside(fields.slice(from), keyword);
  const values = {
    ...(ignition === null ? {} : { ignition }),
    ...(satellites ? { satellites } : {}),
    ...(typeof gsm === 'number' ? { gsm } : {}),
  };
  const reason = reasonOf(placeIn(fields, 1));
  return [{ kind: 'status', time: null, event, attributes: { ...reason, ...attributes, ...values } }];
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
export const located: TextReader = (fields, receivedAt) => {
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

/** Any other keyword: its report if it has one, otherwise its text. */
export const otherKeyword: TextReader = (fields, receivedAt) =>
  reportIn(fields, receivedAt)
    ? report(fields, receivedAt)
    : [{ kind: 'status', time: null, event: null, attributes: { text: fields.join(',') } }];
