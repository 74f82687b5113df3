import { crc16Modbus } from '../crc16.ts';
import { errorIn, silent, unread } from '../outcome.ts';
import type { Decoded, StreamProtocol } from '../protocol.ts';
import { AT, readAt } from './at.ts';
import { AVL, readAvl, SHORT } from './avl.ts';
import { MAX_FRAME_BYTES, nextFrame, xorOf } from './frame.ts';

const latin1 = new TextDecoder('latin1');

function decode(frame: Uint8Array): Decoded {
  if (frame.length > MAX_FRAME_BYTES) return errorIn('too-long', MAX_FRAME_BYTES);
  const bytes = frame.subarray(0, contentEnd(frame));
  if (bytes.length === 0) return silent([]);
  const text = latin1.decode(bytes);
  const avl = AVL.exec(text);
  if (avl) return classic(avl, bytes);
  const at = AT.exec(text);
  return at ? series(at, bytes) : errorIn('bad-field', 0);
}

/** Without the line end. */
function contentEnd(frame: Uint8Array): number {
  let end = frame.length;
  while (end > 0 && (frame[end - 1] === 0x0a || frame[end - 1] === 0x0d)) end--;
  return end;
}

const AT_CHECKSUM = 2;
const AVL_CHECKSUM = 4;

function series([, , type = '', imei = '', content = '', sum = '']: readonly string[], bytes: Uint8Array): Decoded {
  const end = bytes.length - AT_CHECKSUM;
  if (xorOf(bytes, end) !== Number.parseInt(sum, 16)) return errorIn('bad-checksum', end);
  const read = readAt(type, content) ?? unread('unknown-type', type, bytes.subarray(end - content.length, end));
  return silent([{ kind: 'login', imei }, read]);
}

/** Reports have no answer in these documents. */
function classic(
  [, length = '', imei = '', type = '', content = '', sum = '']: readonly string[],
  bytes: Uint8Array,
): Decoded {
  const end = bytes.length - AVL_CHECKSUM;
  const isRight = crc16Modbus(bytes, 0, end) === Number.parseInt(sum, 16);
  // The form with bars has another checksum, which is in no document; there the length must be right.
  const isWhole = SHORT.test(content) && Number.parseInt(length, 16) === bytes.length;
  if (!isRight && !isWhole) return errorIn('bad-checksum', end);
  return silent([{ kind: 'login', imei }, readAvl(type, content)]);
}

/** No document at hand says how a server commands these trackers over the network; nothing is sent. */
const encodeCommand = (): Uint8Array => new Uint8Array(0);

export const totem: StreamProtocol = {
  name: 'totem',
  maxFrameBytes: MAX_FRAME_BYTES,
  nextFrame,
  decode,
  encodeCommand,
};
