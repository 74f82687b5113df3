import { viewOf } from '../bytes.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { Decoded, DecodedMessage, Session, StreamProtocol } from '../protocol.ts';
import { confirmation, encodeCommand } from './encode.ts';
import { CRC_BYTES, checksumOf, HEAD_BYTES, HEADER, isIridium, lengthIn, MAX_FRAME_BYTES, nextFrame } from './frame.ts';
import { decodeIridium } from './iridium.ts';
import { readPack } from './records.ts';

const LEAST_BYTES = HEAD_BYTES + 1 + CRC_BYTES;

function decode(frame: Uint8Array, session: Session): Decoded {
  if (frame.length < LEAST_BYTES) return errorIn('too-short', frame.length);
  if (isIridium(frame) && viewOf(frame).getUint16(1) === frame.length - HEAD_BYTES) return decodeIridium(frame);
  const end = frame.length - CRC_BYTES;
  if (lengthIn(frame) !== end - HEAD_BYTES) return errorIn('bad-length', 1);
  const checksum = viewOf(frame).getUint16(end, true);
  if (checksumOf(frame) !== checksum) return errorIn('bad-checksum', end);
  const content = frame.subarray(HEAD_BYTES, end);
  const [header] = frame;
  if (header === HEADER.data) return data(content, checksum, session);
  if (session.imei === null) return errorIn('not-signed-in', 0);
  if (header === HEADER.photo) return confirmed([picture(content)], checksum);
  // "Garmin FMI protocol data packet needs no confirmation". Compressed packs are not confirmed, because the tracker
  // would then erase what could not be read.
  if (header === HEADER.garmin) return silent([status({ garminBytes: content.length })]);
  return silent([unread('unknown-type', header === HEADER.compressed ? 'compressed' : (header ?? 0), content)]);
}

function data(content: Uint8Array, checksum: number, session: Session): Decoded {
  const { imei, about, messages } = readPack(content);
  if (imei === null && session.imei === null) return errorIn('not-signed-in', 0);
  const login: DecodedMessage[] =
    imei === null ? [] : [{ kind: 'login', imei, ...(Object.keys(about).length > 0 ? { attributes: about } : {}) }];
  return confirmed([...login, ...messages], checksum);
}

const status = (attributes: Readonly<Record<string, number>>): DecodedMessage => ({
  kind: 'status',
  time: null,
  event: null,
  attributes,
});

/** A number, then a piece of the file. */
const picture = (content: Uint8Array): DecodedMessage =>
  status({ picturePart: content[0] ?? 0, pictureBytes: content.length - 1 });

const confirmed = (messages: readonly DecodedMessage[], checksum: number): Decoded => ({
  messages,
  acknowledgement: confirmation(checksum),
  refusal: null,
});

export const galileosky: StreamProtocol = {
  name: 'galileosky',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};
