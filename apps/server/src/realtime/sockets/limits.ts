export const SOCKET_LIMITS = {
  connections: 10_000,
  /** Of one session: a window each, and a few to spare. */
  ofSession: 20,
  /** Until a connection has come into a namespace. */
  connectWithinMs: 10_000,
  /** A registration of 20,000 vehicles fits. */
  payloadBytes: 1024 * 1024,
  /** Packets of any kind, before they are parsed; more end the connection. */
  packets: { count: 100, withinS: 10 },
  /** Events of a session that are looked into; more are answered with a refusal. */
  events: { count: 60, withinS: 60 },
  pingEveryMs: 25_000,
  /** Who answers no ping for this long is gone, and with them what they were slow to read. */
  pingWithinMs: 20_000,
} as const;
