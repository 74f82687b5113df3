import { hex, Reader, viewOf } from '../bytes.ts';
import { crc16Itu } from '../crc16.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { alarm, cameraAlarm, towerAlarm } from './alarm.ts';
import { encodeCommand, shortPacket, timeOf } from './encode.ts';
import { anyFix } from './find-fix.ts';
import { isOnEarth } from './fix.ts';
import { LEAST_LENGTH, LONG_START, MAX_FRAME_BYTES, nextFrame, SHORT_START, STOP } from './frame.ts';
import { extendedHeartbeat, heartbeat, voltageHeartbeat } from './heartbeat.ts';
import { externalDevice, externalModule, informationTransmission } from './information.ts';
import { location } from './location.ts';
import { fields, modular } from './modules.ts';
import { addressByTower, fixOrTowers, stations, towers } from './network.ts';
import { type Notes, noted, type PacketDecoder } from './packet.ts';
import {
  busTroubles,
  busValues,
  firmware,
  fixAfterFour,
  fixAfterImei,
  measuredFix,
  pictureAnnouncement,
} from './recorded.ts';
import { addressByFix, oldReply, placeInWords, reply } from './text.ts';
import { decodeTopin } from './topin.ts';

const LOGIN = 0x01;
const TIME_REQUEST = 0x8a;

interface Kind {
  readonly decode: PacketDecoder;
  /** The tracker waits for an answer with the same protocol and serial number. */
  readonly answered?: true;
}

/** 0x32 is a different packet under the short and the long start. */
const fixOfEither: PacketDecoder = packet => (packet.long ? measuredFix(packet) : location(packet));

const measuredOrTowers: PacketDecoder = packet => (packet.long ? measuredFix(packet) : fixOrTowers(packet));

/** By protocol number. */
const KINDS: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [0x10, { decode: location }],
  [0x11, { decode: towers }],
  [0x12, { decode: location }],
  [0x13, { decode: heartbeat, answered: true }],
  [0x15, { decode: oldReply }],
  [0x16, { decode: alarm, answered: true }],
  [0x17, { decode: addressByTower }],
  [0x18, { decode: towers }],
  [0x19, { decode: towerAlarm, answered: true }],
  [0x1a, { decode: addressByFix }],
  [0x21, { decode: reply }],
  [0x22, { decode: location }],
  [0x23, { decode: voltageHeartbeat, answered: true }],
  [0x24, { decode: fixOrTowers }],
  [0x26, { decode: alarm, answered: true }],
  [0x27, { decode: alarm, answered: true }],
  [0x28, { decode: towers }],
  [0x2a, { decode: addressByFix }],
  [0x2c, { decode: stations }],
  [0x2d, { decode: location }],
  [0x31, { decode: measuredOrTowers }],
  [0x32, { decode: fixOfEither }],
  [0x33, { decode: measuredFix, answered: true }],
  [0x34, { decode: fixAfterFour }],
  [0x35, { decode: pictureAnnouncement }],
  [0x36, { decode: extendedHeartbeat, answered: true }],
  [0x37, { decode: location }],
  [0x38, { decode: location }],
  [0x61, { decode: fixAfterImei }],
  [0x65, { decode: busTroubles }],
  [0x66, { decode: busTroubles }],
  [0x70, { decode: modular }],
  [0x81, { decode: oldReply }],
  [0x8c, { decode: busValues }],
  [0x94, { decode: informationTransmission }],
  [0x95, { decode: cameraAlarm, answered: true }],
  [0x9b, { decode: externalDevice }],
  [0x9c, { decode: externalModule }],
  [0xa0, { decode: location }],
  [0xa1, { decode: towers }],
  [0xa2, { decode: stations }],
  [0xa3, { decode: alarm, answered: true }],
  [0xa4, { decode: alarm, answered: true }],
  [0xa5, { decode: towerAlarm, answered: true }],
  [0xa7, { decode: addressByTower }],
  [0xf1, { decode: fields }],
  [0xf2, { decode: fields }],
  [0xfd, { decode: firmware }],
]);

function decode(frame: Uint8Array, session: Session): Decoded {
  const long = frame[0] === 0x79;
  const head = long ? 4 : 3;
  if (frame.length < head + 3) return errorIn('too-short', frame.length);
  const view = viewOf(frame);
  const start = view.getUint16(0);
  if (start !== SHORT_START && start !== LONG_START) return errorIn('bad-field', 0);
  const length = long ? view.getUint16(2) : view.getUint8(2);
  const end = head + length + 2;
  const relative = (): Decoded | null => (long ? null : decodeTopin(frame, session));
  if (end !== frame.length || length < LEAST_LENGTH)
    return relative() ?? short(frame, session) ?? errorIn('bad-length', 2);
  if (view.getUint16(end - 2) !== STOP) return errorIn('bad-field', end - 2);
  const checksumAt = end - 4;
  if (view.getUint16(checksumAt) !== crc16Itu(frame, 2, checksumAt)) {
    return relative() ?? errorIn('bad-checksum', checksumAt);
  }
  const type = view.getUint8(head);
  const serial = view.getUint16(checksumAt - 2);
  const content = new Reader(frame, head + 1, checksumAt - 2);
  if (type === LOGIN) return login(content, serial);
  if (type === TIME_REQUEST) {
    return {
      messages: [{ kind: 'heartbeat', attributes: {} }],
      acknowledgement: shortPacket(type, timeOf(session.receivedAt), serial),
      refusal: null,
    };
  }
  if (session.imei === null) return errorIn('not-signed-in', 0);
  const kind = KINDS.get(type);
  const whole = new Reader(frame, content.at, content.end);
  const read = kind?.decode({ type, long, content }) ?? null;
  const why = kind ? (content.overrun ? 'too-short' : 'bad-field') : 'unknown-type';
  const message = bestOf(read, whole) ?? unread(why, typeText(type), whole.rest());
  if (message.kind === 'reply') {
    const place = placeInWords(message.text, session.receivedAt);
    return silent(place === null ? [message] : [message, place]);
  }
  if (!kind?.answered) return silent([message]);
  return { messages: [message], acknowledgement: shortPacket(type, NOTHING, serial), refusal: null };
}

/** Too short for a serial number and a checksum: a message of the related protocol that is in no document at hand. */
function short(frame: Uint8Array, { imei }: Session): Decoded | null {
  const [start, , length = 0, type = 0] = frame;
  if (imei === null || start !== 0x78 || length === 0 || length >= LEAST_LENGTH || frame.length !== length + 5)
    return null;
  if (viewOf(frame).getUint16(frame.length - 2) !== STOP) return null;
  return silent([unread('unknown-type', typeText(type), frame.subarray(4, -2))]);
}

const typeText = (type: number): string => `0x${hex(Uint8Array.of(type))}`;

/** What the type defines; or, if that is not a valid fix, a fix found elsewhere in the packet. */
function bestOf(message: DecodedMessage | null, content: Reader): DecodedMessage | null {
  if (message?.kind === 'reply' || (message?.kind === 'position' && isOnEarth(message))) return message;
  return anyFix(content, message) ?? message;
}

const NOTHING = new Uint8Array(0);

/** IMEI in packed decimals with a leading zero, or another number; newer trackers add their type and time zone. */
const IDENTITY = /^(?:0?(\d{15})F?|(\d{16}))$/;

function login(content: Reader, serial: number): Decoded {
  const digits = hex(content.take8(8));
  if (content.overrun) return errorIn('too-short', content.at);
  const [, imei, number] = IDENTITY.exec(digits) ?? [];
  const identity = imei ?? number;
  if (identity === undefined) return errorIn('bad-field', content.at - 8);
  const attributes: Notes = content.remaining >= 4 ? terminalType(content) : {};
  return {
    messages: [{ kind: 'login', imei: identity, attributes }],
    acknowledgement: shortPacket(LOGIN, NOTHING, serial),
    refusal: null,
  };
}

const WEST = 0b1000;

/** "Time Zone/Language": hours and minutes as a decimal number times 100 in the upper twelve bits, bit 3 west. */
function terminalType(content: Reader): Notes {
  const deviceType = content.u16().toString(16).toUpperCase().padStart(4, '0');
  const zone = content.u16();
  const minutes = Math.floor((zone >> 4) / 100) * 60 + ((zone >> 4) % 100);
  return noted({ deviceType, timeZoneMinutes: zone & WEST ? -minutes : minutes });
}

export const gt06: StreamProtocol = {
  name: 'gt06',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};
