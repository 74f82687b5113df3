import { hex, join, Reader, viewOf } from '../bytes.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, unread } from '../outcome.ts';
import type {
  DatagramProtocol,
  Decoded,
  DecodedMessage,
  DecodeErrorCode,
  Session,
  StreamProtocol,
} from '../protocol.ts';
import { answer, loginAnswer, wrapped } from './encode.ts';
import {
  CHECKED_FROM,
  checksum,
  HEAD_BYTES,
  MARK,
  MAX_FRAME_BYTES,
  nextFrame,
  SIZED_FROM,
  WRAPPER,
  WRAPPER_BYTES,
  WRAPPER_SIZED_FROM,
} from './frame.ts';
import { olderAlarm, olderGps, olderState } from './older.ts';
import { heartbeat, location, message, obd, type PackageReader, pedometer, report, warning } from './packages.ts';

interface Kind {
  readonly what: string;
  readonly read?: PackageReader;
  /** "If using TCP, the server need not respond it. If using UDP, the server must respond it." */
  readonly overUdpOnly?: true;
}

const LOGIN = 0x01;
/** From here on, packages are the server's, and a tracker sends answers to them. */
const FIRST_OF_SERVER = 0x80;

/** §5.1 "General", by package identifier; up to 0x07 also those before version 2. */
export const PACKAGES: ReadonlyMap<number, Kind> = new Map<number, Kind>([
  [LOGIN, { what: 'login' }],
  [0x02, { what: 'place, before version 2', read: olderGps, overUdpOnly: true }],
  [0x03, { what: 'heartbeat', read: heartbeat }],
  [0x04, { what: 'alarm, before version 2', read: olderAlarm }],
  [0x05, { what: 'state, before version 2', read: olderState }],
  [0x07, { what: 'OBD data, before version 2', read: obd }],
  [0x12, { what: 'location', read: location, overUdpOnly: true }],
  [0x14, { what: 'warning', read: warning }],
  [0x15, { what: 'report', read: report }],
  [0x16, { what: 'message', read: message }],
  [0x17, { what: 'OBD data', read: obd }],
  [0x18, { what: 'OBD body' }],
  [0x19, { what: 'OBD fault' }],
  [0x1a, { what: 'pedometer', read: pedometer }],
  [0x1b, { what: 'parameters' }],
  [0x80, { what: 'instruction' }],
  [0x81, { what: 'broadcast' }],
]);

function decode(frame: Uint8Array, session: Session): Decoded {
  if (frame.length > MAX_FRAME_BYTES) return errorIn('too-long', MAX_FRAME_BYTES);
  return frame[0] === WRAPPER ? unwrapped(frame, session) : readPackage(frame, session, false);
}

function readPackage(frame: Uint8Array, session: Session, overUdp: boolean): Decoded {
  if (frame.length < HEAD_BYTES) return errorIn('too-short', frame.length);
  if (frame[0] !== MARK || frame[1] !== MARK) return errorIn('bad-field', 0);
  if (SIZED_FROM + viewOf(frame).getUint16(3) !== frame.length) return errorIn('bad-length', 3);
  const [, , type = 0] = frame;
  const sequence = viewOf(frame).getUint16(SIZED_FROM);
  const content = new Reader(frame, HEAD_BYTES);
  if (type === LOGIN) return login(content, sequence, session);
  if (session.imei === null) return errorIn('not-signed-in', 0);
  const kind = PACKAGES.get(type);
  const read = kind?.read?.(content) ?? null;
  const why: DecodeErrorCode = kind?.read ? (content.overrun ? 'too-short' : 'bad-field') : 'unknown-type';
  const typeText = `0x${hex(Uint8Array.of(type))}`;
  const isAnswered = type < FIRST_OF_SERVER && (overUdp || !kind?.overUdpOnly);
  return {
    messages: [read ?? unread(why, typeText, frame.subarray(HEAD_BYTES))],
    acknowledgement: isAnswered ? answer(type, sequence) : null,
    refusal: null,
  };
}

/** IMEI in packed decimals with a leading zero. */
const IMEI = /^0(\d{15})$/;
/** From here on the login has versions and the parameters' sizes; the answer then has a content, too. */
const VERSION_2_BYTES = 22;
const MINUTES = 15;

/** §5.2: IMEI, language, time zone in quarters of an hour, versions of system and application, parameters. */
function login(content: Reader, sequence: number, { receivedAt }: Session): Decoded {
  const isVersion2 = content.remaining >= VERSION_2_BYTES;
  const [, imei] = IMEI.exec(hex(content.take8(8))) ?? [];
  if (content.overrun) return errorIn('too-short', content.at);
  if (imei === undefined) return errorIn('bad-field', HEAD_BYTES);
  const attributes: Record<string, string | number> = {};
  content.skip(Math.min(1, content.remaining));
  if (content.remaining > 0) attributes.timeZoneMinutes = ((content.u8() << 24) >> 24) * MINUTES;
  if (isVersion2) {
    attributes.systemVersion = versionOf(content.u16());
    attributes.firmware = versionOf(content.u16());
  }
  return {
    messages: [{ kind: 'login', imei, attributes }],
    acknowledgement: isVersion2 ? loginAnswer(sequence, receivedAt) : answer(LOGIN, sequence),
    refusal: null,
  };
}

/** `0x0205` is V2.0.5. */
const versionOf = (word: number): string => `${word >> 8}.${(word >> 4) & 15}.${word & 15}`;

/** §4.2: all packages of a datagram, answered together. */
function unwrapped(frame: Uint8Array, { receivedAt }: Session): Decoded {
  if (frame.length < WRAPPER_BYTES) return errorIn('too-short', frame.length);
  const view = viewOf(frame);
  if (frame[1] !== 0x4c) return errorIn('bad-field', 0);
  if (WRAPPER_SIZED_FROM + view.getUint16(2) !== frame.length) return errorIn('bad-length', 2);
  if (view.getUint16(WRAPPER_SIZED_FROM) !== checksum(frame, CHECKED_FROM)) {
    return errorIn('bad-checksum', WRAPPER_SIZED_FROM);
  }
  const [, imei] = IMEI.exec(hex(frame.subarray(CHECKED_FROM, WRAPPER_BYTES))) ?? [];
  if (imei === undefined) return errorIn('bad-field', CHECKED_FROM);
  let who: DecodedMessage = { kind: 'login', imei };
  const messages: DecodedMessage[] = [];
  const answers: Uint8Array[] = [];
  for (let rest = frame.subarray(WRAPPER_BYTES); rest.length > 0; ) {
    const scan = nextFrame(rest);
    const end = scan.status === 'more' ? rest.length : scan.end;
    const decoded =
      scan.status === 'frame' && rest[0] === MARK
        ? readPackage(rest.subarray(0, end), { imei, receivedAt }, true)
        : null;
    for (const each of decoded?.messages ?? [unread('bad-length', 'EL', rest.subarray(0, end))]) {
      if (each.kind === 'login') who = each.imei === imei ? each : who;
      else messages.push(each.kind === 'error' ? unread(each.code, 'EL', rest.subarray(0, end)) : each);
    }
    if (decoded?.acknowledgement) answers.push(decoded.acknowledgement);
    rest = rest.subarray(end);
  }
  const acknowledgement = answers.length > 0 ? wrapped(imei, join(answers)) : null;
  return { messages: [who, ...messages], acknowledgement, refusal: null };
}

/** §5.13 names a package for instructions; without its layout at hand, nothing is sent. */
const encodeCommand = (): Uint8Array => new Uint8Array(0);

export const eelink: StreamProtocol = {
  name: 'eelink',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

export const eelinkUdp: DatagramProtocol = {
  name: 'eelink',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
};
