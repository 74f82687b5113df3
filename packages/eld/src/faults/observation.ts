import type { EpochMs, Metres } from '@milepost/units';

/** What a device or the server notices about its own working. Each kind concerns one or two faults (Appendix A, 4.6.1). */
export type Observation = {
  readonly at: EpochMs;
} /** The engine has started: when, and when the recorder worked. */ & (
  | { readonly kind: 'powered'; readonly engineOnAt: EpochMs }
  /** Driving that the recorder has missed, as the odometer or the engine tell afterwards. */
  | { readonly kind: 'missed-driving'; readonly from: EpochMs; readonly to: EpochMs }
  /** Whether every source that the rule asks for answers (speed, odometer, engine hours, engine power, VIN). */
  | { readonly kind: 'engine-sources'; readonly available: boolean }
  /** This clock minus UTC, in milliseconds. */
  | { readonly kind: 'clock'; readonly offset: number }
  /** A fix, or none, and how far the vehicle has come since the last valid one. */
  | { readonly kind: 'position'; readonly valid: boolean; readonly since: Metres }
  /** Whether records could be written and read back. */
  | { readonly kind: 'recording'; readonly works: boolean }
  /** Whether the last event had all its elements. */
  | { readonly kind: 'elements'; readonly complete: boolean }
  /** A check of the transfer of files, and whether it was confirmed. */
  | { readonly kind: 'transfer'; readonly confirmed: boolean }
  /** Driving of nobody: stretches of the current and the previous seven days. */
  | {
      readonly kind: 'unidentified';
      readonly driving: readonly { readonly from: EpochMs; readonly to: EpochMs }[];
      /** When the period began: the start of the day seven days ago. */
      readonly periodStart: EpochMs;
    }
);
export type ObservationKind = Observation['kind'];
