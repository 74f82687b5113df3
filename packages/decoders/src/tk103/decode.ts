import type { EpochMs } from '@milepost/units';
import { ByteWriter } from '../byte-writer.ts';
import { hasLetters } from '../bytes.ts';
import { cellOf } from '../cell-fields.ts';
import type { TrackerEvent } from '../events.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { numberOf, timeOf } from '../nmea.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { Attributes, DatagramProtocol, Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { alarmOf } from './alarms.ts';
import { encodeCommand } from './encode.ts';
import { isLineEnd, MAX_FRAME_BYTES, nextFrame } from './frame.ts';
import { readFields, readLoosePlace, readPlace } from './place.ts';

/** Reads a message by its command word; null if the body does not fit the word. */
type Reader = (body: string, word: string, receivedAt: EpochMs) => DecodedMessage[] | null;
interface Word {
  readonly read: Reader;
  /** The answer that the tracker waits for: a word and its body. */
  readonly answer?: (body: string) => string;
  readonly what: string;
}

const one = (message: DecodedMessage | null): DecodedMessage[] | null => message && [message];
const status = (attributes: Attributes): DecodedMessage[] => [{ kind: 'status', time: null, event: null, attributes }];
/** Some leave out the end of it. */
const HANDSHAKE = /HSO[0-9A-F]*$|^\d*$/i;
const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;
const LEADING_IMEI = /^\d{15}/;
const MOST_TEXT = 1000;

/** In the documented form, as comma-separated fields, or with other separators. */
function placeOf(body: string, event: TrackerEvent | null, word: string, receivedAt: EpochMs): DecodedMessage | null {
  const documented = readPlace(body, event);
  if (documented?.kind === 'position') return documented;
  return readFields(body.split(','), event, word, receivedAt) ?? readLoosePlace(body, event) ?? documented;
}
const place: Reader = (body, word, receivedAt) => one(placeOf(body, null, word, receivedAt));
/** An answer may contain the position, as the one to BP04 does. */
const reply: Reader = (body, word, receivedAt) => {
  const position = placeOf(body, null, word, receivedAt);
  const text = `${word}${body}`;
  return [{ kind: 'reply', text, reference: null }, ...(position?.kind === 'position' ? [position] : [])];
};
const alarm: Reader = (body, word, receivedAt) => {
  const code = body[0] ?? '';
  const event = alarmOf(code);
  const message = placeOf(body.slice(1), event, word, receivedAt);
  return message && (event === 'alarm' ? [withCode(message, code)] : [message]);
};

/** An alarm without an event name of ours, with the maker's code. */
const withCode = (message: DecodedMessage, alarmCode: string): DecodedMessage =>
  message.kind === 'position' || message.kind === 'status'
    ? { ...message, event: 'alarm', attributes: { ...message.attributes, alarmCode } }
    : message;

/** A login may contain a position or towers; it is always answered. */
const login: Reader = (body, word, receivedAt) => {
  const rest = body.replace(LEADING_IMEI, '');
  const message = placeOf(body, null, word, receivedAt) ?? placeOf(rest, null, word, receivedAt);
  if (message) return [message];
  const cells = rest.split(',').flatMap((_, at, fields) => cellOf(fields.slice(at)) ?? []);
  return status({
    ...(cells[0] === undefined ? {} : { cell: cells[0] }),
    ...(rest === '' ? {} : { text: rest.slice(0, MOST_TEXT) }),
  });
};

/** BZ00: country, network, areas and cells in hexadecimal, characters for inputs and outputs. */
const towers: Reader = body => {
  const [, mcc = '', mnc = '', ...rest] = body.split(',');
  const cells: string[] = [];
  for (let at = 0; at + 2 < rest.length && cells.length < 16; at += 2) {
    cells.push(
      `${Number(mcc)}-${Number(mnc)}-${Number.parseInt(rest[at] ?? '', 16)}-${Number.parseInt(rest[at + 1] ?? '', 16)}`,
    );
  }
  const known = cells.filter(cell => !cell.includes('NaN')).join(' ');
  return known === '' ? null : status({ cells: known });
};

/** §3, plus words known from recordings. */
export const WORDS: Readonly<Record<string, Word>> = {
  BP00: {
    what: 'handshake',
    read: body => (HANDSHAKE.test(body) ? [{ kind: 'heartbeat', attributes: {} }] : null),
    answer: () => 'AP01HSO',
  },
  BP02: { what: 'position on a call', read: place },
  BP04: {
    what: 'position on request',
    read: (body, word, receivedAt) => {
      const message = placeOf(body, null, word, receivedAt);
      return message && [{ kind: 'reply', text: 'position', reference: null }, message];
    },
  },
  BP05: { what: 'login with a position', read: login, answer: () => 'AP05' },
  BR00: { what: 'position', read: place },
  BR01: { what: 'position', read: place },
  BR02: { what: 'position', read: place },
  BO01: { what: 'alarm with a position', read: alarm, answer: body => `AS01${body[0] ?? ''}` },
  BV00: {
    what: 'answer; recorded: VIN',
    read: (body, ...rest) => (VIN.test(body) ? status({ vin: body }) : reply(body, ...rest)),
  },
  BZ00: { what: 'towers (recorded)', read: towers },
};

/** Answers to the commands of §3.1. */
const ANSWER = /^B[PSTUVX]\d\d$/;

const radio: Reader = body => {
  const fields = body.split(',');
  const cell = cellOf(fields);
  const count = Math.min(Number(fields[4]) || 0, 16);
  // `58:F3:BB:3B:AA:82*-65*1`: address, signal, and a number that is not explained.
  const wifi = fields
    .slice(5, 5 + count)
    .map(station => station.split('*').slice(0, 2).join(':'))
    .join(' ');
  const time = timeOf(fields.at(-1) ?? '', fields.at(-2) ?? '', 'dmy');
  const attributes = { ...(cell === null ? {} : { cell }), ...(wifi === '' ? {} : { wifi }) };
  return [{ kind: 'status', time, event: null, attributes }];
};

const BARS = 6;
/** ZC20: date, time, battery in six bars, hundredths of volts. */
const battery: Reader = body => {
  const [date = '', clock = '', bars, voltage] = body.split(',');
  const level = numberOf(bars);
  const hundredths = numberOf(voltage);
  const attributes = {
    ...(level === null || level > BARS ? {} : { batteryLevel: Math.round((level * 100) / BARS) }),
    ...(hundredths === null ? {} : { batteryVoltage: hundredths / 100 }),
  };
  return [{ kind: 'status', time: timeOf(clock, date, 'dmy'), event: null, attributes }];
};

/** Any other word: its position if it has one, otherwise its text. */
const otherWord: Reader = (body, word, receivedAt) =>
  one(placeOf(body, null, word, receivedAt)) ?? status({ text: `${word},${body}`.slice(0, MOST_TEXT) });
/** A word that always means an alarm; none of our documents says which one. */
const alarmWord: Reader = (body, word, receivedAt) =>
  otherWord(body, word, receivedAt)?.map(message => withCode(message, word)) ?? null;
const answered: Reader = body => {
  const [, quoted] = /\$(.*)\$/s.exec(body) ?? [];
  return [{ kind: 'reply', text: (quoted ?? body).trim(), reference: null }];
};

/** Words of the comma-separated form, from recordings. */
const COMMA_WORDS: Readonly<Record<string, Reader>> = {
  DW50: radio,
  DW51: radio,
  DW5B: radio,
  ZC20: battery,
  ZC03: answered,
};
/** ZC11–ZC17, and BQ81 of the form without commas. */
const ALARM_WORD = /^(ZC1[1-7]|BQ81)$/;

const FRAME = /^( *\d{6,20})(,?)([A-Z]{2}[0-9A-F]{2})(.*)$/is;

function decode(frame: Uint8Array, { receivedAt }: Pick<Session, 'receivedAt'>): Decoded {
  if (frame.length > 0 && frame.every(isLineEnd)) return silent([]);
  if (frame[0] !== 0x28 || frame[frame.length - 1] !== 0x29 || !hasLetters(frame)) return errorIn('bad-field', 0);
  const match = FRAME.exec(new TextDecoder().decode(frame.subarray(1, -1)));
  if (match === null) return errorIn('bad-field', 1);
  const [, identity = '', comma, written = '', body = ''] = match;
  const word = written.toUpperCase();
  const imei = identity.trimStart();
  const known = comma === '' && Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
  const read =
    known?.read ??
    (ALARM_WORD.test(word) ? alarmWord : comma === '' ? (ANSWER.test(word) ? reply : otherWord) : commaReader(word));
  const messages = read(comma === '' ? body : body.replace(/^,/, ''), word, receivedAt) ?? [
    unread('bad-field', word, frame.subarray(frame.length - 1 - body.length, -1)),
  ];
  const answer = known?.answer?.(body);
  return {
    messages: [{ kind: 'login', imei }, ...messages],
    acknowledgement: answer === undefined ? null : new ByteWriter().ascii(`(${imei}${answer})`).done(),
    refusal: null,
  };
}

const commaReader =
  (word: string): Reader =>
  (body, _word, receivedAt) =>
    (Object.hasOwn(COMMA_WORDS, word) ? COMMA_WORDS[word]?.(body, word, receivedAt) : null) ??
    otherWord(body, word, receivedAt);

export const tk103: StreamProtocol = {
  name: 'tk103',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

/** The same over UDP, one or more frames in each datagram. */
export const tk103Udp: DatagramProtocol = {
  name: 'tk103',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
  encodeCommand,
};
