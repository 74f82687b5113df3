import { degrees, epochMs, fromKilometresPerHour } from '@milepost/units';
import { angleOf } from '../nmea.ts';
import { positionOf } from '../position.ts';
import { withoutFix } from '../possible.ts';
import type { DecodedMessage } from '../protocol.ts';
import { BY_TIME } from './alarms.ts';
import { shortClockOf } from './fields.ts';

/**
 * The AT series (AT05, AT07, AT09). Of its document, "AT09 Protocol & Commands V2.43", only the table of contents is
 * public without an account (§2.1 checksum, §2.2.1 standard data, §2.2.2 alarm codes, §2.2.3 vehicle status); the layout
 * is known from recordings, in which length and checksum are right.
 */
export const AT = /^\$\$(\d{4})([0-9A-F]{2})(\d{15})\|(.*)([0-9A-F]{2})$/s;

/** Status, time, values that differ between models, then the fix from behind. */
export const STANDARD =
  /^([0-9A-F]{8})(\d{12})([0-9A-F]*?)(\d{2})(\d{2})(\d{3})(\d{3})(\d{2}\.\d)(\d{7})(\d{4}\.\d{4})([NS])(\d{5}\.\d{4})([EW])(\d{4})$/;

/** The same with other values around the place: only what says itself what it is. */
export const AROUND_PLACE = /^([0-9A-F]{8})(\d{12})([^NSEW]*?)(\d{4}\.\d{4,6})([NS])(\d{5}\.\d{4,6})([EW])(.*)$/s;

/** Values of the vehicle's bus: time, longitude, latitude. */
export const CLOUD = /^(\d{12}),(-?\d{1,3}\.\d+),(-?\d{1,2}\.\d+),\$Cloud,(.*?),?\|?$/;

export function readAt(type: string, content: string): DecodedMessage | null {
  const cloud = CLOUD.exec(content);
  if (cloud) return readCloud(cloud);
  const standard = STANDARD.exec(content);
  if (standard) return readStandard(type, standard);
  const place = AROUND_PLACE.exec(content);
  return place && readPlace(type, place);
}

function readPlace(type: string, texts: readonly (string | undefined)[]): DecodedMessage | null {
  const [, status = '', clock = '', front = '', lat = '', north = '', lon = '', east = '', behind = ''] = texts;
  const [latitude, longitude] = [angleOf(lat, north), angleOf(lon, east)];
  if (latitude === null || longitude === null) return null;
  const { event, attributes } = causeOf(type);
  const message = positionOf({
    time: shortClockOf(clock) ?? epochMs(0),
    valid: true,
    lat: latitude,
    lon: longitude,
    event,
    attributes: { ...attributes, vehicleStatus: status, data: `${front}|${behind}` },
  });
  return latitude === 0 && longitude === 0 ? withoutFix(message) : message;
}

const causeOf = (type: string): { event: 'alarm' | null; attributes: Record<string, string> } =>
  type === BY_TIME ? { event: null, attributes: {} } : { event: 'alarm', attributes: { alarmCode: type } };

const MOST_SATELLITES = 60;
const MAX_CSQ = 31;

function readStandard(type: string, texts: readonly (string | undefined)[]): DecodedMessage | null {
  const [
    ,
    status = '',
    clock = '',
    front = '',
    satellites,
    signal,
    course,
    speed,
    hdop,
    ,
    lat = '',
    north = '',
    lon = '',
    east = '',
  ] = texts;
  const time = shortClockOf(clock);
  const [latitude, longitude] = [angleOf(lat, north), angleOf(lon, east)];
  if (latitude === null || longitude === null) return null;
  const seen = Number(satellites);
  const gsm = Number(signal);
  const dilution = Number(hdop);
  const { event, attributes } = causeOf(type);
  const message = positionOf({
    time: time ?? epochMs(0),
    valid: seen > 0,
    lat: latitude,
    lon: longitude,
    satellites: seen <= MOST_SATELLITES ? seen : null,
    gsm: gsm <= MAX_CSQ ? gsm : null,
    course: degrees(Number(course)),
    speed: fromKilometresPerHour(Number(speed)),
    hdop: dilution > 0 ? dilution : null,
    event,
    attributes: {
      ...attributes,
      vehicleStatus: status,
      ...voltagesOf(front),
      ...(front === '' ? {} : { data: front }),
    },
  });
  return latitude === 0 && longitude === 0 ? withoutFix(message) : message;
}

/** Tenths of a volt of the battery, volts of the vehicle: 4.2 and 12 in all recordings. */
function voltagesOf(front: string): Record<string, number> {
  const [, battery, vehicle] = /^(\d{2})(\d{2})/.exec(front) ?? [];
  if (battery === undefined || Number(battery) < 25 || Number(battery) > 50) return {};
  return { batteryVoltage: Number(battery) / 10, externalVoltage: Number(vehicle) };
}

function readCloud([, clock = '', lon = '', lat = '', values = '']: readonly (string | undefined)[]): DecodedMessage {
  return positionOf({
    time: shortClockOf(clock) ?? epochMs(0),
    valid: true,
    lat: degrees(Number(lat)),
    lon: degrees(Number(lon)),
    attributes: { data: values },
  });
}
