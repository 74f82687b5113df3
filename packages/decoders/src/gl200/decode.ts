import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent } from '../outcome.ts';
import type { DatagramProtocol, Decoded, Session, StreamProtocol } from '../protocol.ts';
import { decodeBinary } from './binary.ts';
import { encodeCommand } from './encode.ts';
import { formOf, isSeparator, MAX_FRAME_BYTES, nextFrame } from './frame.ts';
import { decodeLife, decodeRecords } from './records.ts';
import { decodeText } from './text.ts';

/** Queclink's @Track protocol: text, and the two binary forms. Every report identifies its tracker. */
function decode(frame: Uint8Array, session: Session): Decoded {
  if (frame.length > MAX_FRAME_BYTES) return errorIn('too-long', MAX_FRAME_BYTES);
  if (frame.length > 0 && frame.every(isSeparator)) return silent([]);
  switch (formOf(frame)) {
    case 'text':
      return decodeText(frame, session);
    case 'binary':
      return decodeBinary(frame, session);
    case 'records':
      return decodeRecords(frame);
    case 'life':
      return decodeLife(frame);
    default:
      return errorIn('too-short', frame.length);
  }
}

export const gl200Tcp: StreamProtocol = {
  name: 'gl200',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

export const gl200Udp: DatagramProtocol = {
  name: 'gl200',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
  encodeCommand,
};
