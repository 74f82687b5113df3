import { join } from '../bytes.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { Decoded, StreamProtocol } from '../protocol.ts';
import { encodeCommand } from './encode.ts';
import { CLOSE, type Header, isBlank, isWhole, MAX_FRAME_BYTES, nextFrame, readHeader } from './frame.ts';
import { wordOf } from './words.ts';

const WORD = /^[0-9A-Z_]{1,24}$/i;
/** Fields of a location with all its towers and stations; behind these there is only voice or a picture. */
const MOST_FIELDS_BYTES = 4096;
const utf8 = new TextDecoder();

/** Beesure GPS SeTracker Server Protocol (4P-Touch, 2025). */
function decode(frame: Uint8Array): Decoded {
  if (frame.length > 0 && frame.every(isBlank)) return silent([]);
  const header = readHeader(frame);
  if (header === null) return errorIn('bad-field', 0);
  const isClosed = frame[frame.length - 1] === CLOSE;
  if (!isClosed && !isWhole(frame, header)) return errorIn('bad-field', 0);
  const bytes = isClosed
    ? frame.subarray(header.end, -1)
    : frame.subarray(header.end, header.end + Number.parseInt(header.length, 16));
  const login = { kind: 'login', imei: header.tracker } as const;
  const fields = utf8.decode(bytes.subarray(0, MOST_FIELDS_BYTES)).split(',');
  const word = (fields[0] ?? '').trim();
  if (!WORD.test(word)) return silent([login, unread('bad-field', '', bytes)]);
  const content = { word, fields, bytes };
  const { read, answer } = wordOf(word);
  const text = answer?.(content) ?? null;
  return {
    messages: [login, ...read(content)],
    acknowledgement: text === null ? null : answerTo(header, text),
    refusal: null,
  };
}

const hexLength = (bytes: Uint8Array): string => bytes.length.toString(16).toUpperCase().padStart(4, '0');

/** With the watch's own maker, number and serial number. */
function answerTo({ maker, tracker, serial }: Header, text: string): Uint8Array {
  const content = new TextEncoder().encode(text);
  const head = [maker, tracker, ...(serial === '' ? [] : [serial]), hexLength(content)].join('*');
  return join([new TextEncoder().encode(`[${head}*`), content, Uint8Array.of(CLOSE)]);
}

export const watch: StreamProtocol = {
  name: 'watch',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};
