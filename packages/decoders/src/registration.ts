import type { CommandEncoder } from './commands.ts';
import type { FramePart } from './explain/walk.ts';
import type { DatagramProtocol, HttpProtocol, PositionMessage, StreamProtocol } from './protocol.ts';

/**
 * A tracker's side of a protocol: what it sends, as frames. For the simulator, recordings, benches and the tests of the
 * whole way, which know protocols only by this.
 */
export interface TrackerSide {
  /** What it says first on a connection; null where every report names its tracker. */
  greeting(imei: string): Uint8Array | null;
  /** Frames that carry these positions, in their order and at the protocol's resolution. `serial` numbers the first. */
  reports(imei: string, positions: readonly PositionMessage[], serial: number): readonly Uint8Array[];
  /** A sign of life; null where the protocol has none. Where the server answers it, the answer follows all before it. */
  heartbeat(imei: string, serial: number): Uint8Array | null;
  /**
   * The first thing in what the server said to it: answers to its reports, and commands. Over datagrams `bytes` is one of
   * them. Missing where the protocol has no commands. Pure and total, as decoders are.
   */
  hear?(imei: string, bytes: Uint8Array): Heard;
}

/** A command as a tracker hears it. */
export interface HeardCommand {
  /** The words that `encodeCommand` was given. */
  readonly text: string;
  /** The one that it was given, as far as the protocol carries it; null where it carries none. */
  readonly reference: number | null;
  /**
   * What the maker's document has the tracker answer when it did it, or did not; null where it then says nothing. `last` is
   * its newest position, which some answers carry.
   */
  reply(done: boolean, last: PositionMessage): Uint8Array | null;
}

/** `end` is where the next thing begins. What is neither an answer nor a command is passed over as an answer. */
export type Heard =
  | { readonly status: 'more' }
  | { readonly status: 'answer'; readonly end: number }
  | { readonly status: 'command'; readonly end: number; readonly command: HeardCommand };

/** What is worth knowing about some trackers of a protocol. */
export interface ModelNote {
  readonly models: readonly string[];
  /** A sentence. */
  readonly note: string;
}

/** A table of a decoder for `docs/protocols/tables.md`. */
export interface DocumentTable {
  readonly title: string;
  /** A sentence before it, or nothing. */
  readonly text: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** All that the rest of the product knows of a protocol. Each folder has one, and one line of `protocols.ts` names it. */
export interface Registration {
  readonly stream?: StreamProtocol;
  readonly datagram?: DatagramProtocol;
  readonly http?: HttpProtocol;
  /** What ends a frame of text on the wire, and is left out where frames are written down. */
  readonly terminator?: string;
  /** Over the stream. */
  readonly tracker?: TrackerSide;
  /** Over datagrams, each frame one of them. */
  readonly datagramTracker?: TrackerSide;
  /** The pieces of a frame, of whatever kind and however damaged: together they are all of it. Pure and total. */
  explain(frame: Uint8Array): readonly FramePart[];
  readonly commands: readonly CommandEncoder[];
  readonly models: readonly ModelNote[];
  readonly tables: readonly DocumentTable[];
}
