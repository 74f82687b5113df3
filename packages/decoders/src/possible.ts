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
 * The one rule about places, whatever the protocol: a position is a place on Earth at a time that a tracker's clock can
 * have. What a tracker sends as a fix and is none becomes a status that keeps all the rest and says why (`noFix`).
 */

/** Clocks that were never set count from 1970, 1980 or 2000. */
const EARLIEST = Date.UTC(2001, 0);
/** Years of two digits end here, seconds of 32 bits soon after. */
const LATEST = Date.UTC(2100, 0);

const isClock = (time: number): boolean => time >= EARLIEST && time < LATEST;

type Missing = 'latitude' | 'longitude' | 'time' | 'fix';

/** What is wrong with it; null for a place in time. */
export function missingIn({ lat, lon, time }: Pick<PositionMessage, 'lat' | 'lon' | 'time'>): Missing | null {
  if (!(lat >= -90 && lat <= 90)) return 'latitude';
  if (!(lon >= -180 && lon <= 180)) return 'longitude';
  return isClock(time) ? null : 'time';
}

/** A message as the rule wants it: the same one where nothing is wrong. */
export function possible(message: DecodedMessage): DecodedMessage {
  if (message.kind !== 'position') return message;
  const missing = missingIn(message);
  return missing === null ? message : withoutPlace(message, missing);
}

/** For a report whose document says that its place is none: the tracker has not had a fix. */
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
    if (message.kind === 'position' && missingIn(message) !== null) return messages.map(possible);
  }
  return messages;
}

function ruled(decoded: Decoded): Decoded {
  const messages = allPossible(decoded.messages);
  return messages === decoded.messages ? decoded : { ...decoded, messages };
}

/** The protocol under the rule. Its answers stay what they are: the tracker need not send again what it cannot do better. */
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
