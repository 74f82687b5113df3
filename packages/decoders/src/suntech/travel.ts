import { degrees, fromKilometresPerHour, metres } from '@milepost/units';
import { positionOf } from '../position.ts';
import type { DecodedMessage } from '../protocol.ts';
import { isAngle, number, readMoment } from './place.ts';

/**
 * "Travel Event Report", ST300/340 Operation Manual, 6-5: a completed trip. HDR; id; model; firmware; date; time;
 * distance; voltage; hour meter; backup voltage; message type; the trip's distance and its minutes, standing and moving;
 * where it began and ended; average and highest speed; more minutes; driver.
 */
const MINUTE = 60;
const DRIVER = /^[0-9A-F]{14}$/i;

const minutes = (text: string | undefined): number | null => {
  const value = number(text);
  return value === null ? null : value * MINUTE;
};
const volts = (text: string | undefined): number | null => (/^\d+\.\d+$/.test(text ?? '') ? Number(text) : null);
const speed = (text: string | undefined): number | null => {
  const value = number(text);
  return value === null ? null : fromKilometresPerHour(value);
};

/** The place where the trip ended, if the report has it. Null if it has no date and time. */
export function readTravel(fields: readonly string[]): DecodedMessage | null {
  const moment = readMoment(fields);
  if (moment === null) return null;
  const { time, at } = moment;
  const behind = fields.slice(at + 2);
  const [total, main, hours, backup, kind, distance, during, standing, moving] = behind;
  const begin = behind.findIndex((text, i) => i >= 5 && [0, 1, 2, 3].every(n => isAngle(behind[i + n] ?? text)));
  const [lat, lon, average, highest] = begin < 0 ? [] : behind.slice(begin + 2, begin + 6);
  const values = {
    externalVoltage: volts(main),
    engineHours: minutes(hours),
    batteryVoltage: volts(backup),
    tripDistance: number(distance),
    tripTime: minutes(during),
    tripIdleTime: minutes(standing),
    tripMovingTime: minutes(moving),
    tripAverageSpeed: speed(average),
    tripMaximumSpeed: speed(highest),
  };
  const attributes: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(values)) if (value !== null) attributes[name] = value;
  if (kind === '0') attributes.replayed = true;
  const driver = behind.findLast(text => DRIVER.test(text))?.toUpperCase() ?? null;
  const isNobody = driver === null || /^0+$/.test(driver);
  const isSomewhere = lat !== undefined && (Number(lat) !== 0 || Number(lon) !== 0);
  // Zeros say that nobody was identified.
  if (driver !== null && (isNobody || !isSomewhere)) attributes.rfid = driver;
  const odometer = number(total);
  if (!isSomewhere) {
    if (odometer !== null) attributes.odometer = odometer;
    return { kind: 'status', time, event: 'tripStop', attributes };
  }
  return positionOf({
    time,
    valid: true,
    lat: degrees(Number(lat)),
    lon: degrees(Number(lon)),
    odometer: odometer === null ? null : metres(odometer),
    event: 'tripStop',
    rfid: isNobody ? null : driver,
    attributes,
  });
}
