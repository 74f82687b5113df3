import type { EpochMs } from '@milepost/units';
import { crc16Ibm } from '../crc16.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { inflate } from '../inflate.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { DatagramProtocol, Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { encodeCommand, line } from './encode.ts';
import {
  CONTAINER,
  CONTAINER_HEAD_BYTES,
  type Header,
  MAX_FRAME_BYTES,
  MOST_GROWTH,
  nextFrame,
  readHeader,
} from './frame.ts';
import { FULL_FIELDS, LEAST_FIELDS, readRecord, SHORT_FIELDS } from './record.ts';

/**
 * Wialon IPS 1.1 and 2.0 by Gurtam, "Communication protocol". In version 2.0 a message ends with its checksum, which
 * the number of fields shows; it covers the message up to and including the separator before it.
 */
const CR = 0x0d;
const LF = 0x0a;
const utf8 = new TextDecoder();

interface Message {
  readonly header: Header;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly who: DecodedMessage[];
  readonly session: Session;
}

function decode(frame: Uint8Array, session: Session): Decoded {
  if (frame.length > MAX_FRAME_BYTES) return errorIn('too-long', MAX_FRAME_BYTES);
  if (frame[0] === CONTAINER) return compressed(frame, session);
  const header = readHeader(frame);
  if (header === null || header === 'more') return errorIn('unknown-type', 0);
  let end = frame.indexOf(LF, header.at);
  if (end < 0) return errorIn('too-short', frame.length);
  if (frame[end - 1] === CR && end > header.at) end--;
  const bytes = frame.subarray(header.at, end);
  const who = identity(header.lead);
  if (who === 'wrong') return errorIn('bad-field', 0);
  const message = { header, bytes, text: utf8.decode(bytes), who, session };
  if (header.type === 'L') return login(message);
  if (who.length === 0 && session.imei === null) return errorIn('not-signed-in', 0);
  return packet(message);
}

function compressed(frame: Uint8Array, session: Session): Decoded {
  const packet = inflate(frame.subarray(CONTAINER_HEAD_BYTES), frame.length * MOST_GROWTH);
  if (packet === null || packet[0] === CONTAINER)
    return errorIn('bad-field', Math.min(CONTAINER_HEAD_BYTES, frame.length));
  const decoded = decode(withEnd(packet), session);
  const messages = decoded.messages.map(message =>
    message.kind === 'error' ? { ...message, at: CONTAINER_HEAD_BYTES } : message,
  );
  return { ...decoded, messages };
}

const withEnd = (packet: Uint8Array): Uint8Array =>
  packet.length > 0 && packet[packet.length - 1] === LF ? packet : Uint8Array.of(...packet, CR, LF);

const IDENTITY = /^[0-9A-Za-z-]{3,32}$/;

/** `imei` or `2.0;imei`; empty on a connection. */
function identity(lead: string): DecodedMessage[] | 'wrong' {
  if (lead === '') return [];
  const imei = lead.replace(/^\d\.\d;/, '');
  return IDENTITY.test(imei) ? [{ kind: 'login', imei }] : 'wrong';
}

/** Without the checksum, which some trackers leave out. */
const UNCHECKED_LOGIN_FIELDS = 3;

/** 1.1: `imei;password`. 2.0: `2.0;imei;password;crc16`. The password is not checked. */
function login({ header, bytes, text }: Message): Decoded {
  const fields = text.split(';');
  const versioned = /^\d\.\d$/.test(fields[0] ?? '') && fields.length >= 3;
  const imei = (versioned ? fields[1] : fields[0]) ?? '';
  const hasChecksum = versioned && fields.length > UNCHECKED_LOGIN_FIELDS;
  if (hasChecksum && !isChecked(bytes, fields.at(-1) ?? '')) return wrongChecksum(header, 'AL', '10');
  if (!IDENTITY.test(imei)) return errorIn('bad-field', header.at);
  return { messages: [{ kind: 'login', imei }], acknowledgement: line('AL', '1'), refusal: line('AL', '0') };
}

/** Some trackers write `0x` before the digits. */
const CHECKSUM = /^(?:0x)?([0-9A-F]{1,4})$/i;

/** The checksum comes after the last separator. */
function isChecked(bytes: Uint8Array, text: string): boolean {
  const [, digits] = CHECKSUM.exec(text) ?? [];
  return digits !== undefined && crc16Ibm(bytes, 0, bytes.length - text.length) === Number.parseInt(digits, 16);
}

function packet(message: Message): Decoded {
  switch (message.header.type) {
    case 'SD':
      return record(message, SHORT_FIELDS, 'ASD');
    case 'D':
      return record(message, FULL_FIELDS, 'AD');
    case 'B':
      return blackBox(message);
    case 'P':
      return answered(message, [{ kind: 'heartbeat', attributes: {} }], line('AP', ''));
    case 'M':
      return answered(message, [{ kind: 'reply', text: withoutChecksum(message), reference: null }], line('AM', '1'));
    case 'AM':
    case 'AQI':
    case 'AUS':
    case 'AUC':
      return silent([
        ...message.who,
        { kind: 'reply', text: `${message.header.type} ${OUTCOMES[message.text] ?? message.text}`, reference: null },
      ]);
    case 'I':
    case 'T':
      return part(message);
    case 'IT':
      return answered(message, [status({ tachographFile: withoutChecksum(message) })], line('AIT', '1'));
    default:
      return unnamed(message);
  }
}

/** The meaning of the number in an answer to a command. */
const OUTCOMES: Readonly<Record<string, string>> = { 0: 'failed', 1: 'done' };

const answered = ({ who }: Message, messages: readonly DecodedMessage[], acknowledgement: Uint8Array): Decoded => ({
  messages: [...who, ...messages],
  acknowledgement,
  refusal: null,
});

const status = (attributes: Readonly<Record<string, string | number>>): DecodedMessage => ({
  kind: 'status',
  time: null,
  event: null,
  attributes,
});

/** Version 2.0 ends with the checksum: one field more than 1.1 always, unless a tracker omits fields. */
function record(message: Message, usual: number, answer: string): Decoded {
  const { header, bytes, text, session } = message;
  const fields = text.split(';');
  const last = fields.at(-1) ?? '';
  // One short packet in 65,536 has the checksum 000E, and may end with `E` for east.
  const hasMore = fields.length > LEAST_FIELDS;
  if (hasMore && isChecked(bytes, last)) fields.pop();
  else if (fields.length === usual + 1 && CHECKSUM.test(last)) {
    return wrongChecksum(header, answer, usual === SHORT_FIELDS ? '13' : '16', message.who);
  }
  const read = readRecord(fields, session.receivedAt);
  return 'wrong' in read
    ? misfit(message, 'bad-field', answer, ERRORS[read.wrong])
    : answered(message, [read], line(answer, '1'));
}

/** "Answer to the data packet": structure, time, coordinates. */
const ERRORS = { structure: '-1', time: '0', place: '10' } as const;

/** The answer gives the reason; the tracker sends the packet again. */
const wrongChecksum = (header: Header, answer: string, code: string, who: readonly DecodedMessage[] = []): Decoded => ({
  messages: [...who, { kind: 'error', code: 'bad-checksum', at: header.at }],
  acknowledgement: line(answer, code),
  refusal: null,
});

/** Kept as sent, and answered with the reason, so that the tracker goes on with the next one. */
const misfit = (
  message: Message,
  why: 'bad-field' | 'unknown-type',
  answer: string,
  code: string = ERRORS.structure,
): Decoded => answered(message, [unread(why, message.header.type, message.bytes)], line(answer, code));

/** An undocumented packet is read as data if possible. */
function unnamed(message: Message): Decoded {
  const answer = `A${message.header.type}`;
  const fields = message.text.split(';');
  if (isChecked(message.bytes, fields.at(-1) ?? '')) fields.pop();
  const read = readRecord(fields, message.session.receivedAt);
  return 'wrong' in read ? misfit(message, 'unknown-type', answer) : answered(message, [read], line(answer, '1'));
}

/** A list of records; 2.0 has the checksum after the last bar. Invalid records are left out. */
function blackBox(message: Message): Decoded {
  const { header, bytes, text, session } = message;
  const parts = text.split('|');
  const last = parts.at(-1) ?? '';
  if (parts.length > 1 && !last.includes(';')) {
    if (CHECKSUM.test(last) && !isChecked(bytes, last)) return wrongChecksum(header, 'AB', '', message.who);
    parts.pop();
  }
  const messages: DecodedMessage[] = [];
  for (const part of parts) {
    const read = readRecord(part.split(';'), session.receivedAt);
    if (!('wrong' in read)) messages.push(read);
  }
  if (messages.length === 0) return misfit(message, 'bad-field', 'AB');
  return answered(message, messages, line('AB', String(messages.length)));
}

/** The text of a message without the checksum that may follow its last separator. */
function withoutChecksum({ bytes, text }: Message): string {
  const at = text.lastIndexOf(';');
  return at >= 0 && isChecked(bytes, text.slice(at + 1)) ? text.slice(0, at) : text;
}

/**
 * A picture (`size;index;last index;date;time;name`) or a tachograph file (`code;size;index;last index; …`) in parts.
 * Each part is answered so that the tracker continues; the bytes are reported, but not stored.
 */
function part(message: Message): Decoded {
  const picture = message.header.type === 'I';
  const fields = message.text.split(';').slice(picture ? 0 : 1);
  const [size, index, last] = fields.slice(0, 3).map(Number);
  if (size === undefined || index === undefined || !Number.isInteger(size) || !Number.isInteger(index)) {
    return errorIn('bad-field', message.header.at);
  }
  const name = fields[5] ?? '';
  const answer = index === last ? '1' : `${index};1`;
  const noted = status({ [picture ? 'picture' : 'tachographFile']: name, part: index, partBytes: size });
  return answered(message, [noted], line(picture ? 'AI' : 'AT', answer));
}

export const wialonTcp: StreamProtocol = {
  name: 'wialon',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

const eachLine = eachFrame(nextFrame, decode);

export const wialonUdp: DatagramProtocol = {
  name: 'wialon',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: (datagram: Uint8Array, receivedAt: EpochMs) => {
    // A datagram may lack the line end.
    const decoded = eachLine(withEnd(datagram.subarray(0, MAX_FRAME_BYTES)), receivedAt);
    const [first] = decoded.messages;
    return first?.kind === 'error' ? errorIn(first.code, Math.min(first.at, datagram.length)) : decoded;
  },
  encodeCommand,
};
