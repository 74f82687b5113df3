import { letters, viewOf } from '../bytes.ts';
import { crc16Ibm } from '../crc16.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { DatagramProtocol, Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { acknowledgement } from './encode.ts';
import {
  HEAD_BYTES,
  KEEP_ALIVE,
  KEEP_ALIVE_BYTES,
  MAX_FRAME_BYTES,
  nextFrame,
  PREFIX,
  SIZED_FROM,
  TEXT_HEAD,
} from './frame.ts';
import { asciiBytes, binaryRecords, textRecord } from './records.ts';

const latin1 = new TextDecoder('latin1');
const DOLLAR = 0x24;
/** Parts of a picture. */
const PICTURE = 0x52;

function decode(frame: Uint8Array, session: Session): Decoded {
  if (frame.length > MAX_FRAME_BYTES) return errorIn('too-long', MAX_FRAME_BYTES);
  const [first] = frame;
  if (first === KEEP_ALIVE) return keepAlive(frame);
  if (first === DOLLAR) return line(frame, session);
  if (first === PREFIX) {
    const text = latin1.decode(frame);
    const head = TEXT_HEAD.exec(text);
    return head ? textReport(frame, text, head) : binaryReport(frame);
  }
  return frame.every(byte => byte === 0x0d || byte === 0x0a) ? silent([]) : errorIn('bad-field', 0);
}

const IMEI_DIGITS = 15;
/** The zeros that an IMEI begins with are not in a number: of 13 or 14 digits, it is an IMEI without them. */
const idOf = (digits: string): string =>
  digits.length >= IMEI_DIGITS - 2 ? digits.padStart(IMEI_DIGITS, '0') : digits;
const unitOf = (frame: Uint8Array, at: number): string => idOf(String(viewOf(frame).getBigUint64(at)));

/** The server sends the same back. */
function keepAlive(frame: Uint8Array): Decoded {
  if (frame.length !== KEEP_ALIVE_BYTES) return errorIn('bad-length', 0);
  if (frame[1] !== 0x02) return errorIn('bad-field', 1);
  const messages: DecodedMessage[] = [
    { kind: 'login', imei: unitOf(frame, 2) },
    { kind: 'heartbeat', attributes: {} },
  ];
  return { messages, acknowledgement: frame.slice(), refusal: null };
}

function binaryReport(frame: Uint8Array): Decoded {
  if (frame.length < HEAD_BYTES) return errorIn('too-short', frame.length);
  const view = viewOf(frame);
  if (SIZED_FROM + view.getUint16(4) !== frame.length) return errorIn('bad-length', 4);
  if (view.getUint16(2) !== crc16Ibm(frame, 4, frame.length)) return errorIn('bad-checksum', 2);
  const imei = unitOf(frame, 8);
  const content = frame.subarray(HEAD_BYTES);
  const records = frame[1] === PICTURE ? null : binaryRecords(content);
  const type = latin1.decode(frame.subarray(0, 2));
  return {
    messages: [{ kind: 'login', imei }, ...(records ?? [unread('unknown-type', type, content)])],
    acknowledgement: acknowledgement(imei, view.getUint16(6)),
    refusal: null,
  };
}

const UNIT = /^\d{1,20}$/;
const MOST_UNIT = 2n ** 64n;
/** Each record of some firmware begins like the frame. */
const HEAD_AGAIN = /^@.,[0-9A-F]{4},\d+,\d+,\d+,/i;

/**
 * The CRC begins with the comma behind the length. Two of the recorded trackers have another one, which is in no
 * document at hand: a frame with a wrong CRC counts if every line of it is a whole record.
 */
function textReport(frame: Uint8Array, text: string, [head, sum = '']: RegExpExecArray): Decoded {
  const from = head.length - 1;
  const [, sequence = '', unit = '', ...rest] = text.slice(from).trimEnd().split(',');
  if (!/^\d{1,10}$/.test(sequence) || !UNIT.test(unit) || BigInt(unit) >= MOST_UNIT) return errorIn('bad-field', from);
  const imei = idOf(unit);
  const lines = rest
    .join(',')
    .split(/\r?\n/)
    .map(each => each.replace(HEAD_AGAIN, ''))
    .filter(each => each !== '');
  const records = lines.map(textRecord);
  const isRight = crc16Ibm(frame, from, frame.length) === Number.parseInt(sum, 16);
  const isWhole = text.endsWith('\r\n') && records.length > 0 && records.every(record => record !== null);
  if (!isRight && !isWhole) return errorIn('bad-checksum', 3);
  const type = text.slice(0, 2);
  const kept = records.map((record, i) => record ?? unread('bad-field', type, asciiBytes(lines[i] ?? '')));
  return {
    messages: [{ kind: 'login', imei }, ...kept],
    acknowledgement: acknowledgement(imei, Number(sequence) % 0x10000),
    refusal: null,
  };
}

/** `$INFO=unit,model,firmware,…`, which says whose it is; any other line is the answer to a command. */
function line(frame: Uint8Array, session: Session): Decoded {
  const text = letters(frame);
  if (text.length < 2) return errorIn('too-short', frame.length);
  const [unit = '', model = '', firmware = '', , , iccid = '', main = '', battery = ''] = text.slice(6).split(',');
  if (!text.startsWith('$INFO=') || !UNIT.test(unit)) {
    if (session.imei === null) return errorIn('not-signed-in', 0);
    return silent([{ kind: 'reply', text, reference: null }]);
  }
  const attributes: Record<string, string | number> = { model, firmware, iccid };
  if (/^\d{1,4}$/.test(main)) attributes.externalVoltage = Number(main) / 10;
  if (/^\d{1,4}$/.test(battery)) attributes.batteryVoltage = Number(battery) / 10;
  for (const [name, value] of Object.entries(attributes)) if (value === '') delete attributes[name];
  return silent([
    { kind: 'login', imei: idOf(unit) },
    { kind: 'status', time: null, event: null, attributes },
  ]);
}

/** The chapters about commands are not public without an account; nothing is sent. */
const encodeCommand = (): Uint8Array => new Uint8Array(0);

export const atrack: StreamProtocol = {
  name: 'atrack',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

export const atrackUdp: DatagramProtocol = {
  name: 'atrack',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
};
