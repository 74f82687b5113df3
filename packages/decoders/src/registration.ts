import type { CommandEncoder } from './commands.ts';
import type { FramePart } from './explain/walk.ts';
import type { DatagramProtocol, HttpProtocol, PositionMessage, StreamProtocol } from './protocol.ts';

/**
 * The tracker's side of a protocol: the frames it sends. Used by the simulator, recordings, benches and end-to-end
 * tests, which know protocols only through this interface.
 */
export interface TrackerSide {
  /** The first message on a connection; null if every report identifies its tracker. */
  greeting(imei: string): Uint8Array | null;
  /**
   * Frames with these positions, in order and at the protocol's resolution. `serial` is the number of the first frame.
   */
  reports(imei: string, positions: readonly PositionMessage[], serial: number): readonly Uint8Array[];
  /**
   * A heartbeat; null if the protocol has none. If the server answers it, the answer comes after those to everything
   * sent before.
   */
  heartbeat(imei: string, serial: number): Uint8Array | null;
  /**
   * The first item in the bytes from the server: an answer to a report, or a command. Over datagrams, `bytes` is one
   * datagram. Absent if the protocol has no commands. Pure and total, like decoders.
   */
  hear?(imei: string, bytes: Uint8Array): Heard;
}

/** A command as received by a tracker. */
export interface HeardCommand {
  /** The text given to `encodeCommand`. */
  readonly text: string;
  /** The reference given to it, as far as the protocol carries it; null if it carries none. */
  readonly reference: number | null;
  /**
   * The tracker's answer by the maker's document, for a command that it did or could not do; null if it sends none.
   * `last` is its newest position, which some answers include.
   */
  reply(done: boolean, last: PositionMessage): Uint8Array | null;
}

/** `end` is where the next item begins. Anything that is neither an answer nor a command is skipped as an answer. */
export type Heard =
  | { readonly status: 'more' }
  | { readonly status: 'answer'; readonly end: number }
  | { readonly status: 'command'; readonly end: number; readonly command: HeardCommand };

/** A note about some trackers of a protocol. */
export interface ModelNote {
  readonly models: readonly string[];
  /** A sentence. */
  readonly note: string;
}

/** A decoder's table in `docs/protocols/tables.md`. */
export interface DocumentTable {
  readonly title: string;
  /** An introduction to the table; may be empty. */
  readonly text: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Everything that the rest of the product knows about a protocol. Each folder has one, listed in `protocols.ts`. */
export interface Registration {
  readonly stream?: StreamProtocol;
  readonly datagram?: DatagramProtocol;
  readonly http?: HttpProtocol;
  /** The terminator of a text frame, left out where frames are shown or typed. */
  readonly terminator?: string;
  /** Over the stream. */
  readonly tracker?: TrackerSide;
  /** Over datagrams, each frame one of them. */
  readonly datagramTracker?: TrackerSide;
  /** The parts of any frame, even a damaged one; together they cover it. Pure and total. */
  explain(frame: Uint8Array): readonly FramePart[];
  readonly commands: readonly CommandEncoder[];
  readonly models: readonly ModelNote[];
  readonly tables: readonly DocumentTable[];
}
