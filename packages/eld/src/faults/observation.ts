import type { EpochMs, Metres } from '@milepost/units';

/**
 * What a device or the server observes about its own operation. Each kind affects one or two faults (Appendix A,
 * 4.6.1).
 */
export type Observation = {
  readonly at: EpochMs;
} /** The engine started: at what time, and when the recorder was working. */ & (
  | { readonly kind: 'powered'; readonly engineOnAt: EpochMs }
  /** Driving that the recorder missed, found later from the odometer or the engine. */
  | { readonly kind: 'missed-driving'; readonly from: EpochMs; readonly to: EpochMs }
  /** Whether every required source responds (speed, odometer, engine hours, engine power, VIN). */
  | { readonly kind: 'engine-sources'; readonly available: boolean }
  /** This clock minus UTC, in milliseconds. */
  | { readonly kind: 'clock'; readonly offset: number }
  /** Whether there is a valid fix, and the distance driven since the last one. */
  | { readonly kind: 'position'; readonly valid: boolean; readonly since: Metres }
  /** Whether records could be written and read back. */
  | { readonly kind: 'recording'; readonly works: boolean }
  /** Whether the last event had all its elements. */
  | { readonly kind: 'elements'; readonly complete: boolean }
  /** A check of the data transfer, and whether it was confirmed. */
  | { readonly kind: 'transfer'; readonly confirmed: boolean }
  /** Unidentified driving: stretches of the current day and the previous seven. */
  | {
      readonly kind: 'unidentified';
      readonly driving: readonly { readonly from: EpochMs; readonly to: EpochMs }[];
      /** Start of the period: the start of the day seven days ago. */
      readonly periodStart: EpochMs;
    }
);
export type ObservationKind = Observation['kind'];
