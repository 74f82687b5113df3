import { degrees, fromKilometresPerHour, metres } from '@milepost/units';
import { angleOf, numberOf, timeOf } from '../nmea.ts';
import { positionOf } from '../position.ts';
import type { Attributes, DecodedMessage, PositionMessage } from '../protocol.ts';

/**
 * §2.3 "GPS data format": date, validity, latitude, longitude, speed in km/h, time in UTC, course, eight signs of input
 * and output, `L` and the mileage in hexadecimal metres. Numbers may be led by blanks instead of zeros.
 */
export const PLACE =
  /^(\d{6})([AV])([\d.]{9})([NS])([\d. ]{9,10})([EW])([\d. ]{5})(\d{6})([\d. ]{2,6}?),?(?:([0-9A-F]{8})(?:L([0-9A-F]{1,8}))?(?:T(\d+))?|(\d))?$/;

/** The first sign is 0 while the main power is there, the second 1 while the ignition is on. */
export function readPlace(text: string, event: PositionMessage['event']): DecodedMessage | null {
  const match = PLACE.exec(text);
  if (match === null) return null;
  const [, date = '', flag, lat = '', north = '', lon = '', east = '', speed, clock = '', course, io, mileage] = match;
  const attributes: Attributes = {
    ...(io === undefined ? {} : { externalPower: io[0] === '0', inputs: io }),
  };
  const time = timeOf(clock, date, 'ymd');
  const latitude = angleOf(lat, north);
  const longitude = angleOf(lon.trim(), east);
  if (time === null || latitude === null || longitude === null) return { kind: 'status', time, event, attributes };
  return positionOf({
    time,
    valid: flag === 'A',
    lat: latitude,
    lon: longitude,
    speed: fromKilometresPerHour(numberOf(speed) ?? 0),
    course: degrees(numberOf(course) ?? 0),
    ignition: io === undefined ? null : io[1] === '1',
    odometer: mileage === undefined ? null : metres(Number.parseInt(mileage, 16)),
    event,
    attributes,
  });
}

/**
 * Fields between commas, recorded: day first, validity, latitude, longitude, speed, time, course, and some add altitude
 * and satellites.
 */
export function readFields(fields: readonly string[]): DecodedMessage | null {
  const [date = '', flag, lat = '', lon = '', speed, clock = '', course, altitude, satellites] = fields;
  const time = timeOf(clock, date, 'dmy');
  const latitude = angleOf(lat.slice(0, -1), lat.slice(-1));
  const longitude = angleOf(lon.slice(0, -1), lon.slice(-1));
  if (time === null || latitude === null || longitude === null || (flag !== 'A' && flag !== 'V')) return null;
  const height = numberOf(altitude);
  return positionOf({
    time,
    valid: flag === 'A',
    lat: latitude,
    lon: longitude,
    speed: fromKilometresPerHour(numberOf(speed) ?? 0),
    course: degrees(numberOf(course) ?? 0),
    altitude: height === null ? null : metres(height),
    satellites: numberOf(satellites),
  });
}
