import type { FrameScan } from '../protocol.ts';

/**
 * A line for each report: serial number, authorized number, GPRMC sentence, GPS signal, event, IMEI, and in newer
 * trackers more. Xexun TK-102-2 manual 3.24. Older ones end with a length and a byte (Communication Protocol for
 * TK102, TK201, TK206 and TK103, 3).
 */
export const MAX_FRAME_BYTES = 1024;

const CR = '\r';
const LF = '\n';
const LINE_END = /[\r\n]/;
export const IMEI = /imei: ?(\d{14,16})/i;
const OLDER_END = /^,\d{2,3}[^\d,]/;
const NEXT_START = /(?:\d{12}|\d{10}),[^,]{0,20},G[A-Z]RMC,/;

export const isBlank = (byte: number | undefined): boolean => byte === 0x0d || byte === 0x0a || byte === 0;

/** A character for each byte. */
const latin1 = new TextDecoder('latin1');
export const textOf = (bytes: Uint8Array): string => latin1.decode(bytes);

export function nextFrame(buffer: Uint8Array): FrameScan {
  if (isBlank(buffer[0])) return { status: 'frame', end: 1 };
  const text = textOf(buffer.subarray(0, MAX_FRAME_BYTES));
  const lineAt = text.search(LINE_END);
  const own = ownEnd(lineAt < 0 ? text : text.slice(0, lineAt));
  if (own !== null) return { status: 'frame', end: own };
  if (lineAt < 0) return text.length < MAX_FRAME_BYTES ? { status: 'more' } : { status: 'garbage', end: text.length };
  if (text[lineAt] === LF) return { status: 'frame', end: lineAt + 1 };
  if (lineAt + 1 === text.length && text.length < MAX_FRAME_BYTES) return { status: 'more' };
  return { status: 'frame', end: lineAt + (text.startsWith(CR + LF, lineAt) ? 2 : 1) };
}

/** Where a report ends before its line does: behind the byte of an older one, or where the next one begins. */
function ownEnd(line: string): number | null {
  const imei = IMEI.exec(line);
  if (imei === null) return null;
  const behind = imei.index + imei[0].length;
  const rest = line.slice(behind);
  const older = OLDER_END.exec(rest);
  if (older !== null) return behind + older[0].length;
  const next = NEXT_START.exec(rest);
  return next === null ? null : behind + next.index;
}
