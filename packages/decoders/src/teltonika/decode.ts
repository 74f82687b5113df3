import type { EpochMs } from '@milepost/units';
import { ascii, isAsciiDigits, Reader, viewOf } from '../bytes.ts';
import { crc16Ibm } from '../crc16.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent } from '../outcome.ts';
import type {
  DatagramProtocol,
  Decoded,
  DecodedMessage,
  DecodeErrorCode,
  FrameScan,
  Session,
  StreamProtocol,
} from '../protocol.ts';
import { encodeCommand } from './encode.ts';
import { LOGIN_BYTES, MAX_FRAME_BYTES, nextFrame, PACKET_OVERHEAD_BYTES, PING } from './frame.ts';
import { decodeGh3000, GH3000_CODEC } from './gh3000.ts';
import { decodeMessages, isMessageCodec } from './messages.ts';
import { decodeRecords, isAvlCodec } from './records.ts';

const IMEI_DIGITS = 15;
const ACCEPTED = 0x01;
const REFUSED = 0x00;
const DATA_START = 8;

function decode(frame: Uint8Array, session: Session): Decoded {
  if (frame.length === 1 && frame[0] === PING) return silent([{ kind: 'heartbeat', attributes: {} }]);
  if (frame.length >= 2 && frame[0] === 0 && frame[1] === IMEI_DIGITS) return login(frame);
  if (frame.length < PACKET_OVERHEAD_BYTES + 3) return errorIn('too-short', frame.length);
  const view = viewOf(frame);
  const end = DATA_START + view.getUint32(4);
  if (view.getUint32(0) !== 0) return errorIn('bad-field', 0);
  if (end + 4 !== frame.length) return errorIn('bad-length', 4);
  if (view.getUint32(end) !== crc16Ibm(frame, DATA_START, end)) return errorIn('bad-checksum', end);
  if (session.imei === null) return errorIn('not-signed-in', 0);
  return packet(frame, end);
}

function login(frame: Uint8Array): Decoded {
  if (frame.length !== LOGIN_BYTES) return errorIn('bad-length', frame.length);
  const digits = frame.subarray(2);
  if (!isAsciiDigits(digits)) return errorIn('bad-field', 2);
  return {
    messages: [{ kind: 'login', imei: ascii(digits) }],
    acknowledgement: Uint8Array.of(ACCEPTED),
    refusal: Uint8Array.of(REFUSED),
  };
}

/** Until the number of records is acknowledged in four bytes, the tracker keeps them and sends them again. */
function packet(frame: Uint8Array, end: number): Decoded {
  const read = readData(frame, DATA_START, end);
  if ('error' in read) return errorIn(read.error, read.at);
  return {
    messages: read.messages,
    acknowledgement: read.accepted === null ? null : count(read.accepted),
    refusal: null,
  };
}

type Data =
  /** `accepted`: the number of records to acknowledge; null for messages, which need no answer. */
  | { readonly messages: readonly DecodedMessage[]; readonly accepted: number | null }
  | { readonly error: DecodeErrorCode; readonly at: number };

/** The data array, which is the same over TCP and UDP. */
function readData(bytes: Uint8Array, start: number, end: number): Data {
  const codec = bytes[start] ?? 0;
  if (isAvlCodec(codec)) {
    const read = decodeRecords(viewOf(bytes), start, end);
    return 'error' in read ? read : { messages: read.records, accepted: read.announced };
  }
  if (codec === GH3000_CODEC) {
    const read = decodeGh3000(bytes, start, end);
    return read ? { messages: read.messages, accepted: read.count } : { error: 'bad-length', at: start };
  }
  if (!isMessageCodec(codec)) return { error: 'unknown-type', at: start };
  const messages = decodeMessages(bytes.subarray(start, end));
  return messages ? { messages, accepted: null } : { error: 'bad-length', at: start };
}

const count = (records: number): Uint8Array => Uint8Array.of(0, 0, 0, records);

export const teltonika: StreamProtocol = {
  name: 'teltonika',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

/**
 * "Sending data over UDP": length 2, packet id 2, one unused byte, AVL packet id 1, IMEI length 2 and IMEI, then the
 * data array without preamble and checksum. The acknowledgement contains both ids and the number of accepted records.
 * With another length than the stated one, it counts only if its data ends where the datagram does.
 */
function udpPacket(datagram: Uint8Array): Decoded {
  const reader = new Reader(datagram);
  const hasLength = reader.u16() + 2 === datagram.length;
  const packetId = reader.u16();
  reader.skip(1);
  const avlPacketId = reader.u8();
  const imeiBytes = reader.u16();
  const digits = reader.take8(imeiBytes);
  if (reader.overrun) return errorIn('too-short', datagram.length);
  if (imeiBytes !== IMEI_DIGITS || !isAsciiDigits(digits)) return errorIn('bad-field', 6);
  const read = readData(datagram, reader.at, datagram.length);
  if (!hasLength && ('error' in read || read.messages.some(isError))) return errorIn('bad-length', 0);
  const who: DecodedMessage = { kind: 'login', imei: ascii(digits) };
  if ('error' in read) return silent([who, { kind: 'error', code: read.error, at: read.at }]);
  const { messages, accepted } = read;
  const answer = accepted === null ? null : [0, 5, packetId >> 8, packetId & 0xff, 0x01, avlPacketId, accepted];
  return { messages: [who, ...messages], acknowledgement: answer && Uint8Array.from(answer), refusal: null };
}

const isError = ({ kind }: DecodedMessage): boolean => kind === 'error';

function udpFrame(buffer: Uint8Array): FrameScan {
  const end = (buffer[0] ?? 0) * 256 + (buffer[1] ?? 0) + 2;
  return end <= buffer.length ? { status: 'frame', end } : { status: 'more' };
}

const eachPacket = eachFrame(udpFrame, udpPacket);

function decodeDatagram(datagram: Uint8Array, receivedAt: EpochMs): Decoded {
  const decoded = eachPacket(datagram, receivedAt);
  if (!decoded.messages.some(isError)) return decoded;
  const whole = udpPacket(datagram);
  return whole.messages.some(isError) ? decoded : whole;
}

/** The longest possible datagram; a tracker's are far shorter. */
const MAX_DATAGRAM_BYTES = 65_507;

export const teltonikaUdp: DatagramProtocol = {
  name: 'teltonika',
  maxFrameBytes: MAX_DATAGRAM_BYTES,
  decodeDatagram,
};
