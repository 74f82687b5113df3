import { epochMs } from '@milepost/units';
import { explainedLines } from './explain/lines.ts';
import { PROTOCOL_NAMES, type ProtocolName, protocols } from './index.ts';
import { errorIn } from './outcome.ts';
import type { DecodedMessage, HttpProtocol, Session, StreamProtocol } from './protocol.ts';
import type { Registration } from './registration.ts';

/**
 * Output of `npm run decode -- PROTOCOL HEX|TEXT|@FILE`: one JSON object per line for each decoded message. Reports are
 * decoded as if the tracker had signed in. With `--explain` before the protocol, the parts of the frame are printed
 * instead.
 */
export interface Answer {
  readonly lines: readonly string[];
  /** Message for standard error; the exit status is then 1. */
  readonly error: string | null;
}

const USAGE = `Enter a protocol (${PROTOCOL_NAMES.join(', ')}) and a frame as hexadecimal or text, or @FILE with one per line. Put --explain in front to see what each byte means.`;
const SIGNED_IN = '000000000000000';

export function decodeCommand(args: readonly string[], readFile: (path: string) => string, now: number): Answer {
  if (args[0] === '--explain') return explainCommand(args.slice(1));
  const [name, ...rest] = args;
  const input = rest.join(' ').trim();
  if (name === undefined || input === '') return error(USAGE);
  if (!isProtocol(name)) return error(`There is no protocol “${name}”. ${USAGE}`);
  if (!input.startsWith('@')) {
    const messages = decodeText(name, input, now);
    return messages === null
      ? error(notAFrame(name))
      : { lines: messages.map(message => toLine(message)), error: null };
  }
  let text: string;
  try {
    text = readFile(input.slice(1));
  } catch {
    return error(`The file ${input.slice(1)} cannot be read.`);
  }
  return decodeLines(name, text, now);
}

function explainCommand([name, ...rest]: readonly string[]): Answer {
  const input = rest.join(' ').trim();
  if (name === undefined || input === '') return error(USAGE);
  if (!isProtocol(name)) return error(`There is no protocol “${name}”. ${USAGE}`);
  const bytes = frameBytes(name, input);
  return bytes === null ? error(notAFrame(name)) : { lines: explainedLines(name, bytes), error: null };
}

const isProtocol = (name: string): name is ProtocolName => Object.hasOwn(protocols, name);
const error = (sentence: string, lines: readonly string[] = []): Answer => ({ lines, error: sentence });
const notAFrame = (name: ProtocolName): string =>
  `Give a frame of ${name} as hexadecimal digits, two for each byte, or as text.`;

function decodeLines(name: ProtocolName, text: string, now: number): Answer {
  const lines: string[] = [];
  let frame = 0;
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    frame++;
    const messages = decodeText(name, line.trim(), now);
    if (messages === null) return error(`Frame ${frame} is neither hexadecimal nor text as a JSON string.`, lines);
    for (const message of messages) lines.push(toLine(message, frame));
  }
  return { lines, error: null };
}

/** Hexadecimal, or text, bare or as a JSON string. Null if it is none of them. */
function decodeText(name: ProtocolName, input: string, now: number): readonly DecodedMessage[] | null {
  const { http } = protocols[name];
  if (http) return decodeRequest(http, textOf(input) ?? input, now);
  const bytes = frameBytes(name, input);
  return bytes && decodeBytes(protocols[name], bytes, now);
}

function frameBytes(name: ProtocolName, input: string): Uint8Array | null {
  const text = textOf(input);
  if (protocols[name].http) return new TextEncoder().encode(text ?? input);
  const bytes = bytesOf(text ?? input);
  if (bytes) return bytes;
  const characters = textBytes(text, input);
  return characters && ended(protocols[name], characters);
}

/** Adds the terminator to a text frame written without it. */
function ended({ stream, terminator }: Registration, bytes: Uint8Array): Uint8Array {
  if (!terminator || stream?.nextFrame(bytes).status !== 'more') return bytes;
  return Uint8Array.of(...bytes, ...new TextEncoder().encode(terminator));
}

/** A text frame: a JSON string, or bare text that does not look like hexadecimal. */
function textBytes(text: string | null, input: string): Uint8Array | null {
  if (text === null && !/[^0-9a-z\s]/i.test(input)) return null;
  return new TextEncoder().encode(text ?? input);
}

function textOf(input: string): string | null {
  if (!input.startsWith('"')) return null;
  try {
    const text: unknown = JSON.parse(input);
    return typeof text === 'string' ? text : null;
  } catch {
    return null;
  }
}

function bytesOf(input: string): Uint8Array | null {
  const digits = input.replaceAll(/\s/g, '').replace(/^0x/i, '');
  if (digits.length === 0 || digits.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(digits)) return null;
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16));
}

/** Everything before a question mark is the URL path; a JSON object is a posted document. */
function decodeRequest(protocol: HttpProtocol, text: string, now: number): readonly DecodedMessage[] {
  const posted = text.startsWith('{');
  const query = posted ? '' : text.slice(text.indexOf('?') + 1);
  const request = { method: posted ? 'POST' : 'GET', query, contentType: null, body: posted ? text : '' };
  return protocol.decodeRequest(request, epochMs(now));
}

/** Decodes a datagram if the protocol has no stream, or if the bytes are a good datagram but not a stream. */
function decodeBytes(
  { stream, datagram }: Pick<Registration, 'stream' | 'datagram'>,
  bytes: Uint8Array,
  now: number,
): readonly DecodedMessage[] {
  const receivedAt = epochMs(now);
  if (!stream) return datagram?.decodeDatagram(bytes, receivedAt).messages ?? [];
  const asStream = decodeStream(stream, bytes, { imei: SIGNED_IN, receivedAt });
  if (!datagram || !asStream.some(isError)) return asStream;
  const asDatagram = datagram.decodeDatagram(bytes, receivedAt).messages;
  return asDatagram.length === 0 || asDatagram.every(isError) ? asStream : asDatagram;
}

const isError = (message: DecodedMessage): boolean => message.kind === 'error';

/** A frame may be followed by others, as on a connection; leftover bytes are decoded as a frame. */
function decodeStream(stream: StreamProtocol, bytes: Uint8Array, session: Session): readonly DecodedMessage[] {
  const messages: DecodedMessage[] = [];
  let at = 0;
  while (at < bytes.length) {
    const rest = bytes.subarray(at);
    const scan = stream.nextFrame(rest);
    const frame = scan.status === 'frame' ? rest.subarray(0, scan.end) : rest;
    const decoded = scan.status === 'garbage' ? errorIn('bad-field', 0) : stream.decode(frame, session);
    for (const message of decoded.messages) {
      messages.push(message.kind === 'error' ? { ...message, at: message.at + at } : message);
    }
    at += scan.status === 'more' ? rest.length : scan.end;
  }
  return messages;
}

/** Values that the tracker did not send are left out; the rest is in a fixed order for readers. */
function toLine(message: DecodedMessage, frame?: number): string {
  const numbered = frame === undefined ? {} : { frame };
  if (message.kind !== 'position') return JSON.stringify({ ...numbered, ...withTime(message) });
  const { kind, time, valid, lat, lon, speed, course, altitude, attributes, ...columns } = message;
  const sent = Object.entries(columns).filter(([, value]) => value !== null);
  return JSON.stringify({
    ...numbered,
    kind,
    time: isoOf(time),
    valid,
    lat,
    lon,
    speed,
    course,
    altitude,
    ...Object.fromEntries(sent),
    attributes,
  });
}

function withTime(message: Exclude<DecodedMessage, { kind: 'position' }>): object {
  if (message.kind === 'status') return { ...message, time: message.time === null ? null : isoOf(message.time) };
  const { kind } = message;
  if (kind === 'login' && Object.keys(message.attributes ?? {}).length === 0) return { kind, imei: message.imei };
  return message;
}

/** Null if the tracker's clock shows a year outside the calendar. */
function isoOf(time: number): string | null {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
