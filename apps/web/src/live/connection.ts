import { create } from 'zustand';
import type { MessagingPhase } from './messaging/protocol.ts';

interface Connection {
  readonly phase: MessagingPhase;
  /** When the phase started, in epoch milliseconds. */
  readonly sinceMs: number;
  /** When all positions were last read. Live reports may be newer (`PositionStore.lastReportMs`). */
  readonly updatedMs: number | null;
  /** Whether a page with live positions is shown. */
  readonly shown: boolean;
  /** The past moment that the page shows; null if it is live. */
  readonly pastMs: number | null;
  /** Why the vehicles couldn't be read; null if they could. */
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
