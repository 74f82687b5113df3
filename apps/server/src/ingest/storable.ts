import type { TrackerProtocol } from '@milepost/contract';
import type { Attributes, PositionMessage } from '@milepost/decoders';
import { degrees, type EpochMs, epochMs } from '@milepost/units';
import type { ReceivedPosition } from '../tracks/stored-position.ts';

/** Four-digit years, as every ISO 8601 reader expects; a tracker's clock may say anything. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59Z');
const MAX_SMALLINT = 32_767;
const MAX_TEXT = 128;
const MAX_ATTRIBUTES = 256;
const MAX_ATTRIBUTE_TEXT = 2000;

/**
 * Makes a tracker's report fit the columns: a value that no column can hold, or that means nothing, becomes null, and
 * a place that is no number becomes an invalid fix. Null for a report without a time, which has no key to stand under.
 */
export function storable(
  message: PositionMessage,
  protocol: TrackerProtocol,
  receivedAt: EpochMs,
): ReceivedPosition | null {
  if (!Number.isFinite(message.time)) return null;
  const hasPlace = Number.isFinite(message.lat) && Number.isFinite(message.lon);
  return {
    fixAt: epochMs(Math.trunc(Math.min(Math.max(message.time, EARLIEST), LATEST))),
    receivedAt: epochMs(Math.trunc(receivedAt)),
    lat: hasPlace ? message.lat : degrees(0),
    lon: hasPlace ? message.lon : degrees(0),
    valid: message.valid && hasPlace,
    speed: rounded(between(message.speed, 0, 9999), 1000),
    course: rounded(between(message.course, 0, 360), 100),
    altitude: rounded(between(message.altitude, -99_999, 99_999), 100),
    odometer: between(message.odometer, 0, 1e12),
    fuel: rounded(between(message.fuel, -99_999, 99_999), 100),
    temperature: rounded(between(message.temperature, -9999, 9999), 100),
    hdop: rounded(between(message.hdop, 0, 9999), 100),
    satellites: rounded(between(message.satellites, 0, MAX_SMALLINT), 1),
    gsm: rounded(between(message.gsm, 0, 31), 1),
    ignition: message.ignition,
    protocol,
    event: text(message.event, MAX_TEXT),
    rfid: text(message.rfid, MAX_TEXT),
    attributes: storableAttributes(message.attributes),
  };
}

/** NaN is between nothing. */
function between<T extends number>(value: T | null, low: number, high: number): T | null {
  return value !== null && value >= low && value <= high ? value : null;
}

/**
 * To what a `real` column gives back: seven digits, which is finer than any tracker measures. So a state in memory is
 * the one that follows from the database.
 */
function rounded<T extends number>(value: T | null, steps: number): T | null {
  return value === null ? null : ((Math.round(value * steps) / steps) as T);
}

/** PostgreSQL's text can't hold NUL, nor its JSON a lone surrogate. */
function text(value: string | null, limit: number): string | null {
  if (value === null || value === '') return null;
  const cut = value.length > limit ? value.slice(0, limit) : value;
  return cut.replaceAll('\0', '').toWellFormed();
}

function storableAttributes(attributes: Attributes): Attributes | null {
  const kept: Record<string, string | number | boolean> = {};
  let count = 0;
  for (const name in attributes) {
    const value = attributes[name];
    if (count === MAX_ATTRIBUTES) break;
    if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) continue;
    const key = text(name, MAX_TEXT);
    if (key === null) continue;
    kept[key] = typeof value === 'string' ? (text(value, MAX_ATTRIBUTE_TEXT) ?? '') : value;
    count++;
  }
  return count > 0 ? kept : null;
}
