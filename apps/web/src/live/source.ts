import type { PositionReport, Vehicle } from '@milepost/contract';
import type { LiveBatch } from './position-store.ts';

/**
 * Where positions come from. Live messaging and a recording are the same to the page: it gives a sink, names the
 * vehicles by the list it is given, and never asks which of the two it has.
 *
 * Guarantees of a source: `vehicles` comes before the first batch that matters; batches come at most once per animation
 * frame and hold at most a bounded number of messages; within one vehicle messages keep their order, but a snapshot may
 * overtake them, so the receiver decides what is newest.
 */
export interface PositionSource {
  /** Starts to deliver; returns what stops it. After stopping nothing is delivered any more. */
  open(sink: PositionSink): () => void;
}

export interface PositionSink {
  vehicles(list: readonly Vehicle[]): void;
  snapshot(reports: readonly PositionReport[]): void;
  batch(batch: LiveBatch): void;
  /** The live connection ended; collected messages not yet taken are dropped [R4.12]. */
  disconnected(): void;
}
