import type { EpochMs } from '@milepost/units';
import { hasLetters } from '../bytes.ts';
import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { DatagramProtocol, Decoded, Session, StreamProtocol } from '../protocol.ts';
import { readBinary } from './binary.ts';
import { encodeCommand, encodeReceipt } from './encode.ts';
import { DOLLAR, isLineEnd, MAX_FRAME_BYTES, MILEAGE_RECORD, nextFrame } from './frame.ts';
import { otherKeyword } from './report.ts';
import { KEYWORDS } from './text.ts';

/**
 * Reports have no acknowledgement in most makers' documents: the tracker never resends. V6 and V8 have one. Login and sign
 * of life come back as sent.
 */
function decode(frame: Uint8Array, { imei, receivedAt }: Pick<Session, 'imei' | 'receivedAt'>): Decoded {
  if (frame.every(isLineEnd)) return frame.length > 0 ? silent([]) : errorIn('too-short', 0);
  if (frame[0] === DOLLAR || frame[0] === MILEAGE_RECORD) {
    const read = readBinary(frame);
    if ('error' in read) return errorIn(read.error, read.at);
    if (read.imei !== null) return silent([{ kind: 'login', imei: read.imei }, read.message]);
    return imei === null ? errorIn('not-signed-in', 0) : silent([read.message]);
  }
  let end = frame.length - 1;
  while (isLineEnd(frame[end])) end--;
  const ended = frame[end] === HASH || end < frame.length - 1;
  if (frame[0] !== STAR || !ended || !hasLetters(frame)) return errorIn('bad-field', 0);
  return text(frame.subarray(1, frame[end] === HASH ? end : end + 1), receivedAt);
}

const STAR = 0x2a;
const HASH = 0x23;
/** Ten digits or an IMEI by the document; some trackers have shorter or longer numbers. */
const IDENTITY = /^\d{5,20}$/;
const MAKER = /^[A-Z\d]{2}$/i;

/** Maker, identity, keyword, fields. A frame without a keyword only tells that the tracker is alive. */
function text(words: Uint8Array, receivedAt: EpochMs): Decoded {
  const [maker = '', imei = '', ...fields] = new TextDecoder().decode(words).split(',');
  if (!MAKER.test(maker)) return errorIn('bad-field', 1);
  if (!IDENTITY.test(imei)) return errorIn('bad-field', 4);
  const keyword = (fields[0] ?? '').toUpperCase();
  const known = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
  const read = known?.read ?? (keyword === '' ? () => [] : otherKeyword);
  const messages = read(fields, receivedAt) ?? [unread('bad-field', keyword, words)];
  return {
    messages: [{ kind: 'login', imei }, ...messages],
    acknowledgement: known?.confirmed
      ? encodeReceipt(maker, imei, receivedAt)
      : known?.echoed
        ? Uint8Array.of(STAR, ...words, HASH)
        : null,
    refusal: null,
  };
}

export const h02: StreamProtocol = { name: 'h02', maxFrameBytes: MAX_FRAME_BYTES, nextFrame, decode, encodeCommand };

/** The same over UDP, which the makers enable by SMS; one or more frames in each datagram. */
export const h02Udp: DatagramProtocol = {
  name: 'h02',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
  encodeCommand,
};
