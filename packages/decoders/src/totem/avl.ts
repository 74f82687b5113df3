import { degrees, epochMs, fromKnots } from '@milepost/units';
import { angleOf, numberOf, timeOf } from '../nmea.ts';
import { positionOf } from '../position.ts';
import { withoutFix } from '../possible.ts';
import type { DecodedMessage, PositionMessage } from '../protocol.ts';
import { ALARMS, BY_TIME, HEARTBEAT } from './alarms.ts';
import { type Behind, readBehind } from './fields.ts';

/** `$$A9353358019474100|…|96F7`, without the line end. */
export const AVL = /^\$\$([0-9A-F]{2})(\d{15,20})\|([0-9A-F]{2})(.*)\|([0-9A-F]{4})$/is;

/** The fix in front of the fields, or why there is none; the number of fields that it takes. */
interface Front {
  readonly fix: Pick<PositionMessage, 'time' | 'valid' | 'lat' | 'lon' | 'speed' | 'course'> | null;
  readonly fields: number;
}

/** `$GPRMC,time,validity,latitude,N,longitude,E,knots,course,date,…*checksum`: NMEA 0183. */
function gprmc(text: string): Front {
  const [, clock = '', validity = '', lat = '', north = '', lon = '', east = '', speed, course, date = ''] =
    text.split(',');
  return { fix: fixOf({ clock, date, validity, lat, north, lon, east, speed, course }), fields: 1 };
}

interface Texts {
  readonly clock: string;
  readonly date: string;
  readonly validity: string;
  readonly lat: string;
  readonly north: string;
  readonly lon: string;
  readonly east: string;
  readonly speed: string | undefined;
  readonly course: string | undefined;
}

function fixOf({ clock, date, validity, lat, north, lon, east, speed, course }: Texts): Front['fix'] {
  const [latitude, longitude] = [angleOf(lat, north), angleOf(lon, east)];
  if (latitude === null || longitude === null || (latitude === 0 && longitude === 0)) return null;
  const [knots, angle] = [numberOf(speed), numberOf(course)];
  return {
    time: timeOf(clock, date, 'dmy') ?? epochMs(0),
    valid: validity === 'A',
    lat: latitude,
    lon: longitude,
    speed: knots === null ? null : fromKnots(knots),
    course: angle === null ? null : degrees(angle),
  };
}

const SHORT_FIELDS = 8;

/**
 * Known from recordings: the values of GPRMC with bars, `ddmmyyhhmmss|A|2237.1901|N|11402.1369|E|1.579|178|HDOP|…`. Their
 * checksum is not that of the documents.
 */
export const SHORT = /^\d{12}\|[AV]\|/;

function short(fields: readonly string[]): Front {
  const [moment = '', validity = '', lat = '', north = '', lon = '', east = '', speed, course] = fields;
  const [date, clock] = [moment.slice(0, 6), moment.slice(6)];
  return { fix: fixOf({ clock, date, validity, lat, north, lon, east, speed, course }), fields: SHORT_FIELDS };
}

/** What is behind the type of alarm. Without a fix, trackers send zeros in place of GPRMC. */
export function readAvl(type: string, content: string): DecodedMessage {
  const fields = content.split('|');
  const [first = ''] = fields;
  const isGprmc = first.startsWith('$GPRMC');
  const front = SHORT.test(content) ? short(fields) : isGprmc ? gprmc(first) : { fix: null, fields: 1 };
  const behind = readBehind(fields.slice(front.fields));
  return messageOf(type.toUpperCase(), front, behind);
}

function messageOf(type: string, { fix }: Front, { time, attributes, ...columns }: Behind): DecodedMessage {
  const alarm = ALARMS[type];
  const event = alarm === undefined ? 'alarm' : alarm.event;
  const notes = { ...attributes };
  if (alarm === undefined) notes.alarmCode = type;
  else if (event === null && type !== BY_TIME) notes.reportType = alarm.what;
  if (fix !== null) return positionOf({ ...fix, ...columns, event, attributes: notes });
  if (type === HEARTBEAT) return { kind: 'heartbeat', attributes };
  const nowhere = { time: time ?? epochMs(0), valid: false, lat: degrees(0), lon: degrees(0) };
  return withoutFix(positionOf({ ...nowhere, ...columns, event, attributes: notes }));
}
