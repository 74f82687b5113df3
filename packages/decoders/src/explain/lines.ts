import { hex } from '../bytes.ts';
import { type ProtocolName, protocols } from '../index.ts';
import { explainFrame } from './explain-frame.ts';
import type { FramePart } from './walk.ts';

/** Bytes of a part that are shown. */
const SHOWN = 8;

/** For reading a frame in a terminal: offset, bytes, name, value; consecutive frames one by one. */
export function explainedLines(name: ProtocolName, bytes: Uint8Array): string[] {
  const lines: string[] = [];
  const { stream } = protocols[name];
  for (let from = 0; from < bytes.length; ) {
    const scan = stream?.nextFrame(bytes.subarray(from));
    const to = scan?.status === 'frame' ? from + scan.end : bytes.length;
    const frame = bytes.subarray(from, to);
    for (const part of explainFrame(name, frame)) lines.push(...linesOf(part, frame, from, ''));
    from = to;
  }
  return lines;
}

function linesOf(
  { from, to, name, value, unit, parts }: FramePart,
  frame: Uint8Array,
  base: number,
  indent: string,
): string[] {
  const digits = parts ? '' : hex(frame.subarray(from, Math.min(to, from + SHOWN))) + (to - from > SHOWN ? '…' : '');
  const line = [
    String(base + from).padStart(5),
    digits.padEnd(2 * SHOWN + 1),
    `${indent}${name}`.padEnd(32),
    `${value}${unit === undefined ? '' : unit === '°' ? unit : ` ${unit}`}`,
  ];
  return [line.join('  ').trimEnd(), ...(parts ?? []).flatMap(part => linesOf(part, frame, base, `${indent}  `))];
}
