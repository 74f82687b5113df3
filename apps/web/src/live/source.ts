import type { PositionReport, Vehicle } from '@milepost/contract';
import type { LiveBatch } from './position-store.ts';

/**
 * A source of positions: live messaging or a recording. The page doesn't need to know which: it passes a sink and uses
 * the list of vehicles it receives.
 *
 * A source guarantees that `vehicles` comes before the first batch that matters; that batches come at most once per
 * animation frame and have a bounded number of messages; and that the messages of a vehicle stay in order. A snapshot
 * may arrive before older messages, so the receiver decides which is newest.
 */
export interface PositionSource {
  /** Starts delivering to the sink. Returns a function that stops it; nothing is delivered after that. */
  open(sink: PositionSink): () => void;
}

export interface PositionSink {
  vehicles(list: readonly Vehicle[]): void;
  snapshot(reports: readonly PositionReport[]): void;
  batch(batch: LiveBatch): void;
  /** The live connection was lost. Collected messages that haven't been taken are dropped [R4.12]. */
  disconnected(): void;
}
