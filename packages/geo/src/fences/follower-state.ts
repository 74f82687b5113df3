import type { EpochMs } from '@milepost/units';
import type { Candidate, MotionFix } from './candidate.ts';
import { type DrivingState, NOT_DRIVING } from './driving.ts';
import type { FencePhase } from './fence-states.ts';

/** When a vehicle crossed an edge. */
export interface Crossing {
  /** By the fixes on both sides of the edge. */
  readonly at: EpochMs;
  /** It can't have been earlier or later; null if nothing is known of the time before. */
  readonly after: EpochMs | null;
  readonly before: EpochMs;
  /** The fix that made it certain. */
  readonly knownAt: EpochMs;
  /** 0…1. */
  readonly confidence: number;
  readonly lat: number;
  readonly lon: number;
}

export interface FenceEvent {
  readonly fenceId: number;
  /** `pass`: in and out again between two fixes. */
  readonly kind: 'enter' | 'exit' | 'pass';
  /** Of the way in; for an exit, that of the visit that ends. */
  readonly entry: Crossing;
  readonly exit: Crossing | null;
}

export interface FenceState {
  readonly phase: FencePhase;
  /** Of the visit, while there is one. */
  readonly entry: Crossing | null;
  readonly candidate: Candidate | null;
}

/** Of one vehicle; plain JSON. Fences that it is outside of are left out. */
export interface FollowerState extends DrivingState {
  readonly last: MotionFix | null;
  readonly fences: Readonly<Record<number, FenceState>>;
}

export const NOTHING_FOLLOWED: FollowerState = { last: null, ...NOT_DRIVING, fences: {} };
