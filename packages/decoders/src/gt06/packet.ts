import type { Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';

/** The content between the length and the serial number. */
export interface Packet {
  readonly type: number;
  /** Started with 0x7979. */
  readonly long: boolean;
  /** A reader of the content, from its start to its end. */
  readonly content: Reader;
}

/** Null if the content does not fit the type; the reader is then at the offset of the error. */
export type PacketDecoder = (packet: Packet) => DecodedMessage | null;

/** Attributes being collected; values that the tracker did not send are left out. */
export type Notes = Record<string, string | number | boolean>;

export function noted(entries: Readonly<Record<string, string | number | boolean | null>>): Notes {
  const notes: Notes = {};
  for (const [name, value] of Object.entries(entries)) if (value !== null && value !== '') notes[name] = value;
  return notes;
}
