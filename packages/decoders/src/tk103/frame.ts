import type { FrameScan } from '../protocol.ts';

/**
 * From `(` to `)`, KX402 GPRS Communication Protocol V1.5 §2. Text between dollar signs may contain parentheses. A lone
 * separator is an empty frame.
 */
const OPEN = 0x28;
const CLOSE = 0x29;
const DOLLAR = 0x24;
const LINE_ENDS = new Set([0x0d, 0x0a]);
export const MAX_FRAME_BYTES = 2048;

const MORE: FrameScan = { status: 'more' };
const frame = (end: number): FrameScan => ({ status: 'frame', end });
const garbage = (end: number): FrameScan => ({ status: 'garbage', end });

export const isLineEnd = (byte: number): boolean => LINE_ENDS.has(byte);

export function nextFrame(buffer: Uint8Array): FrameScan {
  const [first] = buffer;
  if (first === undefined) return MORE;
  if (isLineEnd(first)) return frame(1);
  if (first !== OPEN) return garbage(nextStart(buffer, 1));
  let quoted = false;
  for (let at = 1; at < buffer.length && at < MAX_FRAME_BYTES; at++) {
    if (buffer[at] === DOLLAR) quoted = !quoted;
    else if (!quoted && buffer[at] === CLOSE) return frame(at + 1);
    // A frame begins inside another: the end of the first one is missing.
    else if (!quoted && buffer[at] === OPEN) return garbage(at);
  }
  return buffer.length < MAX_FRAME_BYTES ? MORE : garbage(nextStart(buffer, MAX_FRAME_BYTES));
}

function nextStart(buffer: Uint8Array, from: number): number {
  let at = Math.min(from, buffer.length);
  while (at < buffer.length && buffer[at] !== OPEN) at++;
  return at;
}
