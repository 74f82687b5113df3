import { ascii, hex, join, Reader, viewOf } from '../bytes.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { Attributes, DatagramProtocol, Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { encodeCommand } from './commands.ts';
import {
  generalAnswer,
  NO_SUCH_TERMINAL,
  pictureAnswer,
  REGISTERED,
  registrationAnswer,
  timeAnswer,
} from './encode.ts';
import { findLocation } from './find-location.ts';
import { MAX_FRAME_BYTES, MULTIMEDIA, nextFrame, packetEnd } from './frame.ts';
import { authenticationNotes, MESSAGES, registrationNotes, unknownMessage } from './messages.ts';
import { type Packet, unpack } from './packet.ts';

const REGISTRATION = 0x0100;
const AUTHENTICATION = 0x0102;
const OPEN = 0x28;

function decode(frame: Uint8Array, session: Session): Decoded {
  if (frame[0] === OPEN) return text(frame);
  const parts: Packet[] = [];
  for (let at = 0; at < frame.length; ) {
    const found = packetEnd(frame, at);
    const end = typeof found === 'number' ? found : frame.length;
    const unpacked = unpack(frame.subarray(at, end));
    if ('error' in unpacked) return errorIn(unpacked.error, Math.min(at + unpacked.at, frame.length));
    parts.push(unpacked.packet);
    at = end;
  }
  const [first] = parts;
  if (first === undefined) return errorIn('too-short', 0);
  const whole = parts.length === 1 ? first : { ...first, part: null, body: join(parts.map(({ body }) => body)) };
  const decoded = message(whole, session);
  if (parts.length === 1 || decoded.acknowledgement === null) return decoded;
  // A part is confirmed like a message.
  const acknowledgements = parts.map(({ identity, serial, id }) => generalAnswer(identity, serial, id));
  return { ...decoded, acknowledgement: join(acknowledgements) };
}

function message(packet: Packet, session: Session): Decoded {
  const { id, identity, serial } = packet;
  const kind = MESSAGES.get(id);
  // A single part has no start or no end; the tracker sends it again.
  const lone = packet.part !== null && packet.part.total > 1 && id !== MULTIMEDIA;
  if (lone) return lonePart(packet);
  const read = kind?.read(new Reader(packet.body), packet) ?? readOtherwise(packet, kind !== undefined);
  const messages: DecodedMessage[] = [{ kind: 'login', imei: identity, ...loginNotes(packet) }, ...read];
  const refusal = id === REGISTRATION ? registrationAnswer(identity, serial, NO_SUCH_TERMINAL) : null;
  return { messages, acknowledgement: answerTo(packet, session), refusal };
}

function loginNotes(packet: Packet): { readonly attributes?: Attributes } {
  if (packet.id === REGISTRATION) return { attributes: registrationNotes(packet) };
  const attributes = packet.id === AUTHENTICATION ? authenticationNotes(packet) : {};
  return Object.keys(attributes).length === 0 ? {} : { attributes };
}

/** The locations that a part has in full; it is not confirmed. */
function lonePart(packet: Packet): Decoded {
  const { id, identity, body, part } = packet;
  const read = part?.index === 1 ? MESSAGES.get(id)?.read(new Reader(body), packet) : null;
  const places = (read ?? [findLocation(new Reader(body))]).filter(message => message?.kind === 'position');
  return places.length === 0 ? errorIn('too-short', 0) : silent([{ kind: 'login', imei: identity }, ...places]);
}

/** A message that doesn't fit its id may still contain a location. */
function readOtherwise(packet: Packet, isKnown: boolean): readonly DecodedMessage[] {
  if (!isKnown) return unknownMessage(new Reader(packet.body), packet) ?? [];
  const { id, body } = packet;
  const type = hex(Uint8Array.of(id >> 8, id & 255));
  return [findLocation(new Reader(body)) ?? unread('bad-field', type, body)];
}

function answerTo(packet: Packet, { receivedAt }: Session): Uint8Array | null {
  const { id, identity, serial, body, part } = packet;
  switch (MESSAGES.get(id)?.answer ?? 'general') {
    case 'nothing':
      return null;
    case 'registration':
      return registrationAnswer(identity, serial, REGISTERED);
    case 'time':
      return timeAnswer(identity, serial, receivedAt);
    case 'picture':
      return part === null && body.length >= 4
        ? pictureAnswer(identity, serial, viewOf(body).getUint32(0))
        : generalAnswer(identity, serial, id);
    default:
      return generalAnswer(identity, serial, id);
  }
}

/** `(794104004140,1,001,BASE,2,TIME)`: a Jointech lock requests the time; how to answer is not documented. */
function text(frame: Uint8Array): Decoded {
  const fields = ascii(frame.subarray(1, -1)).split(',');
  const [identity = ''] = fields;
  if (!/^\d{10,15}$/.test(identity) || frame[frame.length - 1] !== 0x29) return errorIn('bad-field', 1);
  const words = fields.slice(1).join(',');
  return silent([
    { kind: 'login', imei: identity },
    { kind: 'status', time: null, event: null, attributes: { text: words } },
  ]);
}

export const jt808: StreamProtocol = {
  name: 'jt808',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

/** JT/T 808-2013 §5.1 allows UDP, too: messages, or the parts of one, in each datagram. */
export const jt808Udp: DatagramProtocol = {
  name: 'jt808',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
  encodeCommand,
};
