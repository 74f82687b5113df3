import type { listFrames, RouteAnswer } from '@milepost/contract';

/** A frame with the server's explanation. */
export type ExplainedFrame = Pick<RouteAnswer<typeof listFrames>[number], 'bytes' | 'length' | 'parts'>;
export type FramePart = ExplainedFrame['parts'][number];

/** One part in the list. Nested parts come after their parent. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly name: string;
  readonly value: string;
  readonly unit: string | undefined;
  readonly depth: 0 | 1;
  /** The part has its own bytes, rather than being a group of parts. */
  readonly isLeaf: boolean;
}

export function piecesOf(parts: readonly FramePart[]): Piece[] {
  const piece = ({ from, to, name, value, unit }: Omit<FramePart, 'parts'>, depth: 0 | 1, isLeaf: boolean): Piece => ({
    from,
    to,
    name,
    value,
    unit,
    depth,
    isLeaf,
  });
  return parts.flatMap(part => [
    piece(part, 0, !part.parts),
    ...(part.parts ?? []).map(inner => piece(inner, 1, true)),
  ]);
}

/** A part's bytes: two hex digits each, or for text its characters, with visible line ends. */
export function written(hex: string, { from, to }: Pick<Piece, 'from' | 'to'>, form: 'hex' | 'text'): string {
  const digits = hex.slice(from * 2, to * 2);
  const pairs = digits.match(/../g) ?? [];
  return form === 'hex' ? pairs.join(' ') : pairs.map(character).join('');
}

function character(pair: string): string {
  const code = Number.parseInt(pair, 16);
  if (code === 0x0d) return '␍';
  if (code === 0x0a) return '␊';
  return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '·';
}

/** Whether nearly all bytes are printable, so the protocol is text. */
export function isMostlyText(hex: string): boolean {
  const pairs = hex.match(/../g) ?? [];
  const readable = pairs.filter(pair => character(pair) !== '·').length;
  return pairs.length > 0 && readable / pairs.length > 0.95;
}
