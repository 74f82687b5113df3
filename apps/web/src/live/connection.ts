import { create } from 'zustand';
import type { MessagingPhase } from './messaging/protocol.ts';

interface Connection {
  readonly phase: MessagingPhase;
  /** Since when the phase holds, by this device's clock. */
  readonly sinceMs: number;
  /** When all positions were last asked for; live reports come on top (`PositionStore.lastReportMs`). */
  readonly updatedMs: number | null;
  /** A page shows positions as they come. */
  readonly shown: boolean;
  /** What the page shows is not live, but of this moment; null where it is live. */
  readonly pastMs: number | null;
  /** Why the vehicles could not be read; null when they could. */
  readonly error: unknown;
}

/** The state of live messaging, for the freshness pill and page states. */
export const useConnection = create<Connection>(() => ({
  phase: 'idle',
  sinceMs: Date.now(),
  updatedMs: null,
  shown: false,
  pastMs: null,
  error: null,
}));
