import type { Reader } from '../bytes.ts';
import type { DecodedMessage } from '../protocol.ts';

/** What is between the length and the serial number. */
export interface Packet {
  readonly type: number;
  /** Started with 0x7979. */
  readonly long: boolean;
  /** Stands at the beginning of the content and ends with it. */
  readonly content: Reader;
}

/** Null when the content is not what the type promises; the reader stands where that was seen. */
export type PacketDecoder = (packet: Packet) => DecodedMessage | null;

/** Attributes under construction; what the tracker did not send is left out. */
export type Notes = Record<string, string | number | boolean>;

export function noted(entries: Readonly<Record<string, string | number | boolean | null>>): Notes {
  const notes: Notes = {};
  for (const [name, value] of Object.entries(entries)) if (value !== null && value !== '') notes[name] = value;
  return notes;
}
