/** Limits for one tracker. Even a misbehaving tracker stays far below them; a client above is not a tracker. */
export type Limits = Readonly<Record<keyof typeof LIMITS, number>>;

export const LIMITS = {
  /** Connections of one gateway, signed in or not. */
  connections: 20_000,
  /** Connections of one gateway that haven't logged in; newer ones are refused. */
  unidentified: 2_000,
  /** The same for one address, behind which a network may keep many trackers. */
  unidentifiedPerAddress: 500,
  /** Without a login by then, the connection is cut. */
  loginWithinMs: 30_000,
  /** A frame must be complete by then. */
  frameWithinMs: 60_000,
  /** Silence after which a connection is dead. A tracker at rest reports hourly. */
  idleMs: 2 * 3_600_000,
  /** Bytes outside any frame before the connection is cut. */
  garbageBytes: 8_192,
  /** Bad frames in a row before the connection is cut. */
  badFrames: 32,
  /** Frames that wait for their commit, on one connection. */
  framesInFlight: 16,
  /** Unread answers of a tracker. */
  unreadBytes: 65_536,
  /** Messages and positions of one connection or sender: an average per second, and a burst from memory. */
  workPerSecond: 2_000,
  workAtOnce: 20_000,
} as const;
