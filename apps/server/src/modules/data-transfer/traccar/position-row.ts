import { TRACKER_PROTOCOLS } from '@milepost/contract';
import { fromKnots } from '@milepost/units';

/** An object of Traccar's API or a row of its tables; names in lower case. */
export type Foreign = Readonly<Record<string, unknown>>;

/** Names that its protocols have here. */
const PROTOCOLS: Readonly<Record<string, string>> = { huabao: 'jt808' };
/** The events of alarms that have a word here. */
const ALARMS: Readonly<Record<string, string>> = {
  sos: 'sos',
  powerCut: 'powerCut',
  powerRestored: 'powerRestored',
  lowPower: 'powerLow',
  lowBattery: 'batteryLow',
  overspeed: 'overspeed',
  hardAcceleration: 'harshAcceleration',
  hardBraking: 'harshBraking',
  hardCornering: 'harshCornering',
  tow: 'towing',
  tampering: 'tamper',
  jamming: 'jamming',
  vibration: 'vibration',
};
const MOST_TEXT = 2000;
const MOST_NAME = 128;

/** A number within limits, or null. */
const within = (value: unknown, least: number, most: number): number | null => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number >= least && number <= most ? number : null;
};

/** Traccar writes times in UTC; its tables leave out the zone. */
export function momentOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.trim().replace(' ', 'T');
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2') : `${text}Z`);
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** What a position is without a fix time or a place: not one. */
export type PositionProblem = 'no-time' | 'no-place';

/**
 * A row of the table of positions, in SI units, from a position as the documents of Traccar's API describe it: speed in
 * knots, distances in meters, attributes by their names.
 */
export function positionRow(position: Foreign, vehicleId: number): object | PositionProblem {
  const fixAt = momentOf(position.fixtime) ?? momentOf(position.devicetime);
  if (fixAt === null) return 'no-time';
  const [lat, lon] = [within(position.latitude, -90, 90), within(position.longitude, -180, 180)];
  if (lat === null || lon === null) return 'no-place';
  const attributes = attributesOf(position.attributes);
  const speed = within(position.speed, 0, 10_000);
  const protocol = String(position.protocol ?? '');
  const known = TRACKER_PROTOCOLS.find(each => each === (PROTOCOLS[protocol] ?? protocol));
  const alarm = typeof attributes.alarm === 'string' ? attributes.alarm.split(',')[0] : undefined;
  const ignition = attributes.ignition;
  return {
    vehicle_id: vehicleId,
    fix_at: fixAt,
    received_at: momentOf(position.servertime) ?? fixAt,
    lat,
    lon,
    speed: speed === null ? null : Math.min(9999, fromKnots(speed)),
    course: within(position.course, 0, 360),
    altitude: within(position.altitude, -99_999, 99_999),
    // Only what means the same: Traccar's own distance is no odometer, liters are no level. All stay as attributes.
    odometer: within(attributes.odometer, 0, 1e12),
    fuel: within(attributes.fuelLevel, 0, 100),
    temperature: within(attributes.temp1, -9999, 9999),
    hdop: within(attributes.hdop, 0, 9999),
    satellites: wholeOf(attributes.sat, 32_767),
    // Its scale differs between trackers.
    gsm: null,
    valid: position.valid === true || position.valid === 'true' || position.valid === 't' || position.valid === '1',
    ignition: typeof ignition === 'boolean' ? ignition : null,
    late: false,
    doubts: 0,
    // What has no name here came over HTTP as far as anyone knows; its own name stays beside it.
    protocol: known ?? 'osmand',
    event: alarm === undefined ? null : (ALARMS[alarm] ?? 'alarm'),
    rfid: textOf(attributes.driverUniqueId),
    attributes: { ...attributes, ...(known === undefined && protocol !== '' && { sourceProtocol: protocol }) },
  };
}

const wholeOf = (value: unknown, most: number): number | null => {
  const number = within(value, 0, most);
  return number === null ? null : Math.round(number);
};

const textOf = (value: unknown): string | null =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== ''
    ? String(value).trim().slice(0, MOST_NAME)
    : null;

function attributesOf(value: unknown): Record<string, string | number | boolean> {
  const read = typeof value === 'string' ? parsed(value) : value;
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return {};
  const kept: Record<string, string | number | boolean> = {};
  for (const [name, each] of Object.entries(read)) {
    if (name.length > MOST_NAME) continue;
    if (typeof each === 'string') kept[name] = each.slice(0, MOST_TEXT);
    else if (typeof each === 'boolean' || (typeof each === 'number' && Number.isFinite(each))) kept[name] = each;
  }
  return kept;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
