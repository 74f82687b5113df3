import { eachFrame } from '../frames-in-datagram.ts';
import { errorIn, silent } from '../outcome.ts';
import type { DatagramProtocol, Decoded, StreamProtocol } from '../protocol.ts';
import { isBlank, MAX_FRAME_BYTES, nextFrame } from './frame.ts';
import { checksumOf, messageOf, readReport } from './report.ts';

function decode(frame: Uint8Array): Decoded {
  if (frame.length > 0 && frame.every(isBlank)) return silent([]);
  const report = readReport(frame);
  if (report === null) return errorIn('bad-field', 0);
  const checksum = checksumOf(frame, report);
  if (checksum !== null && checksum.stated !== checksum.right) return errorIn('bad-checksum', report.tailAt);
  return silent([{ kind: 'login', imei: report.imei }, messageOf(report)]);
}

/** The documents have commands by SMS only; a text is sent as it is. */
const encodeCommand = (command: string): Uint8Array => new TextEncoder().encode(command);

export const xexun: StreamProtocol = {
  name: 'xexun',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};

/** The same over UDP. */
export const xexunUdp: DatagramProtocol = {
  name: 'xexun',
  maxFrameBytes: MAX_FRAME_BYTES,
  decodeDatagram: eachFrame(nextFrame, decode),
};
