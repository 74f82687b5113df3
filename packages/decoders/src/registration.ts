import type { CommandEncoder } from './commands.ts';
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
}

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
  readonly commands: readonly CommandEncoder[];
  readonly models: readonly ModelNote[];
  readonly tables: readonly DocumentTable[];
}
