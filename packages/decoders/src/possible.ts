import type {
  Attributes,
  DatagramProtocol,
  Decoded,
  DecodedMessage,
  PositionMessage,
  StreamProtocol,
} from './protocol.ts';
import type { Registration } from './registration.ts';

/**
 * The one rule about positions, for all protocols: a position is a place on Earth at a time that a tracker's clock can
 * have. An impossible fix becomes a status that keeps everything else and gives the reason (`noFix`), and so do the
 * zeros of a tracker that has no fix yet and says so. A course or speed that no vehicle has is unknown, and so are
 * satellites, a dilution or a mileage below zero, and a fuel level that is no percentage.
 */

/** Clocks that were never set count from 1970, 1980 or 2000. */
const EARLIEST = Date.UTC(2001, 0);
/** With two-digit years, the 70 and 80 of clocks that were never set (1970, 1980) read as 2070 and 2080. */
const LATEST = Date.UTC(2070, 0);

const isClock = (time: number): boolean => time >= EARLIEST && time < LATEST;

type Missing = 'latitude' | 'longitude' | 'time' | 'fix';

type Fix = Pick<PositionMessage, 'lat' | 'lon' | 'time'> & Partial<Pick<PositionMessage, 'valid'>>;

/** The impossible part; null for a valid place and time. */
export function missingIn({ lat, lon, time, valid }: Fix): Missing | null {
  if (!(lat >= -90 && lat <= 90)) return 'latitude';
  if (!(lon >= -180 && lon <= 180)) return 'longitude';
  if (!isClock(time)) return 'time';
  return valid === false && lat === 0 && lon === 0 ? 'fix' : null;
}

/** In m/s: faster than anything that carries a tracker. Fields of all ones read as 1,800 or 18,000. */
const FASTEST = 1000;

const isCourse = (course: number): boolean => course >= 0 && course <= 360;
const isSpeed = (speed: number): boolean => speed >= 0 && speed <= FASTEST;

/** Whether course and speed are possible for a vehicle; null counts as possible. */
export const isMotion = ({ course, speed }: Pick<PositionMessage, 'course' | 'speed'>): boolean =>
  (course === null || isCourse(course)) && (speed === null || isSpeed(speed));

type Values = Pick<PositionMessage, 'satellites' | 'hdop' | 'odometer' | 'fuel'>;
const FULL = 100;
const isLevel = (percent: number): boolean => percent >= 0 && percent <= FULL;

/** Whether the other values are possible; null counts as possible. */
export const areValues = ({ satellites, hdop, odometer, fuel }: Values): boolean =>
  (satellites === null || satellites >= 0) &&
  (hdop === null || hdop >= 0) &&
  (odometer === null || odometer >= 0) &&
  (fuel === null || isLevel(fuel));

const notNegative = <T extends number>(value: T | null): T | null => (value !== null && value >= 0 ? value : null);

/** The message after the position check; unchanged if nothing is wrong. */
export function possible(message: DecodedMessage): DecodedMessage {
  if (message.kind !== 'position') return message;
  const missing = missingIn(message);
  if (missing === null && isMotion(message) && areValues(message)) return message;
  const { course, speed, satellites, hdop, odometer, fuel } = message;
  const rest = {
    ...message,
    course: course !== null && isCourse(course) ? course : null,
    speed: speed !== null && isSpeed(speed) ? speed : null,
    satellites: notNegative(satellites),
    hdop: notNegative(hdop),
    odometer: notNegative(odometer),
    fuel: fuel !== null && isLevel(fuel) ? fuel : null,
  };
  return missing === null ? rest : withoutPlace(rest, missing);
}

/** The reason for a status, of a report in text that has no place, or one whose time can't be read. */
export const reasonOf = (place: unknown): { readonly noFix: Missing } => ({ noFix: place ? 'time' : 'fix' });

/** For a report whose document says that it has no fix. */
export const withoutFix = (position: PositionMessage): DecodedMessage => withoutPlace(position, 'fix');

function withoutPlace(position: PositionMessage, noFix: Missing): DecodedMessage {
  const { time, event, ignition, odometer, fuel, temperature, satellites, gsm, rfid } = position;
  const attributes: Record<string, Attributes[string]> = { noFix };
  const columns = { ignition, odometer, fuel, temperature, satellites, gsm, rfid };
  for (const [name, value] of Object.entries(columns)) if (value !== null) attributes[name] = value;
  Object.assign(attributes, position.attributes);
  return { kind: 'status', time: isClock(time) ? time : null, event, attributes };
}

function allPossible(messages: readonly DecodedMessage[]): readonly DecodedMessage[] {
  for (const message of messages) {
    if (message.kind !== 'position') continue;
    if (missingIn(message) !== null || !isMotion(message) || !areValues(message)) return messages.map(possible);
  }
  return messages;
}

function ruled(decoded: Decoded): Decoded {
  const messages = allPossible(decoded.messages);
  return messages === decoded.messages ? decoded : { ...decoded, messages };
}

/**
 * The protocol with the position check applied. Its answers stay the same: resending would not help, because the
 * tracker would send the same again.
 */
export function underTheRule<R extends Registration>(registration: R): R {
  const { stream, datagram, http } = registration;
  return {
    ...registration,
    ...(stream && {
      stream: { ...stream, decode: (frame, session) => ruled(stream.decode(frame, session)) } satisfies StreamProtocol,
    }),
    ...(datagram && {
      datagram: {
        ...datagram,
        decodeDatagram: (bytes, at) => ruled(datagram.decodeDatagram(bytes, at)),
      } satisfies DatagramProtocol,
    }),
    ...(http && { http: { ...http, decodeRequest: (request, at) => allPossible(http.decodeRequest(request, at)) } }),
  };
}
