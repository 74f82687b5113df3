import { degrees, type EpochMs, metres, metresPerSecond } from '@milepost/units';
import { TRACKER_EVENTS } from '../events.ts';
import type { DecodedMessage, PositionMessage } from '../protocol.ts';
import { type Notes, note } from './notes.ts';
import { momentIn, readTimestamp } from './time.ts';

/**
 * The format of Traccar Client since version 9, which is that of its location library (traccar.org/osmand; "Location",
 * background-geolocation by Transistor Software): `device_id` and one `location` or, if the phone saved several, a list
 * of them. Units here are meters and meters per second; -1 means unknown.
 */
const MAX_LOCATIONS = 1000;

/** The name of the invalid member. */
interface BadMember {
  readonly bad: string;
}

type Json = Readonly<Record<string, unknown>>;

export function readDocument(
  document: unknown,
  idInQuery: string | null,
  receivedAt: EpochMs,
): readonly DecodedMessage[] | BadMember {
  const { id: ownId, locations } = Array.isArray(document) ? listed(document) : contentOf(document);
  const id = ownId ?? idInQuery;
  const imei = typeof id === 'number' ? String(id) : id;
  if (typeof imei !== 'string' || !/^[\w.-]{1,64}$/.test(imei)) return { bad: 'device_id' };
  if (locations.length > MAX_LOCATIONS) return { bad: 'location' };
  const messages: DecodedMessage[] = [{ kind: 'login', imei }];
  for (const location of locations) {
    const message = isObject(location) ? readLocation(location, receivedAt) : { bad: 'location' };
    if (!('bad' in message)) messages.push(message);
    // One invalid location among many is skipped; otherwise the phone would resend them all forever.
    else if (locations.length === 1) return message;
  }
  return messages;
}

const FULL = 100;

interface Content {
  readonly id: unknown;
  readonly locations: readonly unknown[];
}

/** `location`, one or a list. Libraries can be set to send the location's values beside the id, or a bare list. */
function contentOf(document: unknown): Content {
  if (!isObject(document)) return { id: undefined, locations: [undefined] };
  const { location } = document;
  const locations = Array.isArray(location)
    ? location
    : [location ?? (placeOf(document) === null ? location : document)];
  return { id: document.device_id ?? document.deviceId ?? document.deviceid ?? document.id, locations };
}

function listed(documents: readonly unknown[]): Content {
  const contents = documents.map(contentOf);
  const id = contents.find(each => each.id !== undefined)?.id;
  return { id, locations: contents.length === 0 ? [undefined] : contents.flatMap(({ locations }) => locations) };
}

/** Where the coordinates are. */
const coordsOf = (location: Json): Json => (isObject(location.coords) ? location.coords : location);

function placeOf(location: Json): { readonly lat: number; readonly lon: number } | null {
  const coords = coordsOf(location);
  const lat = numberIn(coords, 'latitude') ?? numberIn(coords, 'lat');
  const lon = numberIn(coords, 'longitude') ?? numberIn(coords, 'lon') ?? numberIn(coords, 'lng');
  return lat === null || lon === null ? null : { lat, lon };
}

function readLocation(location: Json, receivedAt: EpochMs): DecodedMessage | BadMember {
  const written = location.timestamp;
  const moment = typeof location.time === 'string' || typeof location.time === 'number' ? String(location.time) : null;
  const time =
    written === undefined || written === null ? (momentIn(moment) ?? receivedAt) : readTimestamp(String(written));
  const attributes = readAttributes(location);
  const event = eventOf(location);
  if (time === null) return { bad: 'timestamp' };
  const coords = coordsOf(location);
  const place = placeOf(location);
  const odometer = known(numberIn(location, 'odometer'), metres);
  if (place === null) {
    return { kind: 'status', time, event, attributes: { ...attributes, ...(odometer === null ? {} : { odometer }) } };
  }
  const position: PositionMessage = {
    kind: 'position',
    time,
    valid: true,
    lat: degrees(place.lat),
    lon: degrees(place.lon),
    speed: known(numberIn(coords, 'speed'), metresPerSecond),
    course: known(numberIn(coords, 'heading') ?? numberIn(coords, 'bearing'), degrees),
    altitude: numberIn(coords, 'altitude') === null ? null : metres(numberIn(coords, 'altitude') ?? 0),
    satellites: null,
    hdop: null,
    ignition: null,
    odometer,
    fuel: null,
    temperature: null,
    gsm: null,
    event,
    rfid: null,
    attributes,
  };
  return position;
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function numberIn(object: Json, name: string): number | null {
  const written = object[name];
  const value = typeof written === 'string' && written.trim() !== '' ? Number(written) : written;
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

const known = <T>(value: number | null, brand: (value: number) => T): T | null =>
  value === null || value < 0 ? null : brand(value);

/**
 * An alarm that the app adds, such as that of its emergency button. For `motionchange`, `is_moving` gives the
 * direction; a geofence has its own. Other values are not events here.
 */
function eventOf(location: Json): string | null {
  const extras = isObject(location.extras) ? location.extras : {};
  const added = [extras.alarm, extras.event].find(word => TRACKER_EVENTS.some(event => event === word));
  if (typeof added === 'string') return added;
  if (location.event === 'motionchange') return location.is_moving === true ? 'movementStart' : 'movementStop';
  const action = isObject(location.geofence) ? location.geofence.action : null;
  if (action === 'ENTER') return 'geofenceEnter';
  return action === 'EXIT' ? 'geofenceExit' : null;
}

function readAttributes(location: Json): Notes {
  const notes: Notes = {};
  const keep = (name: string, value: unknown): void => {
    if (typeof value === 'boolean' || typeof value === 'string')
      note(notes, name, typeof value === 'string' ? value.slice(0, 1000) : value);
    if (typeof value === 'number' && Number.isFinite(value)) note(notes, name, value);
  };
  const coords = coordsOf(location);
  const battery = isObject(location.battery) ? location.battery : {};
  const activity = isObject(location.activity) ? location.activity : {};
  keep('accuracy', known(numberIn(coords, 'accuracy'), Number));
  keep('moving', location.is_moving);
  const level = numberIn(battery, 'level');
  if (level !== null && level >= 0 && level <= 1) keep('batteryLevel', Math.round(level * 100));
  else if ((numberIn(location, 'batt') ?? FULL + 1) <= FULL) {
    keep('batteryLevel', known(numberIn(location, 'batt'), Number));
  }
  keep('charging', battery.is_charging);
  keep('activity', activity.type);
  // Android reports when an app fakes the location.
  if (location.mock === true) keep('mock', true);
  if (isObject(location.extras)) for (const [name, value] of Object.entries(location.extras)) keep(name, value);
  if (notes.alarm === eventOf(location)) delete notes.alarm;
  return notes;
}
