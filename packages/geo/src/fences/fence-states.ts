/** Where a vehicle is, seen from one geofence. */
export const FENCE_PHASES = ['outside', 'entering', 'inside', 'dwelling', 'exiting'] as const;
export type FencePhase = (typeof FENCE_PHASES)[number];

/** From then on a visit is a stay. */
export const DWELLS_AFTER_MS = 5 * 60_000;

/**
 * What a fix says: the vehicle is on the side where it was (`through`: and the way there led through the geofence), it
 * is past the edge, which the receiver may have made up, or certainly past it. `Long`: the visit that goes on, or begins
 * by this fix, has lasted for `DWELLS_AFTER_MS`.
 */
export const FENCE_INPUTS = ['same', 'sameLong', 'through', 'past', 'certain', 'certainLong'] as const;
export type FenceInput = (typeof FENCE_INPUTS)[number];

export interface FenceStep {
  readonly to: FencePhase;
  readonly event: 'enter' | 'exit' | 'pass' | null;
}

const to = (phase: FencePhase, event: FenceStep['event'] = null): FenceStep => ({ to: phase, event });

/** Outside there is no visit that could be long; a way through matters only to a vehicle that isn't inside. */
const NOT_IN: Readonly<Record<FenceInput, FenceStep>> = {
  same: to('outside'),
  sameLong: to('outside'),
  through: to('outside', 'pass'),
  past: to('entering'),
  certain: to('inside', 'enter'),
  certainLong: to('dwelling', 'enter'),
};
const IN: Readonly<Record<FenceInput, FenceStep>> = {
  same: to('inside'),
  sameLong: to('dwelling'),
  through: to('inside'),
  past: to('exiting'),
  certain: to('outside', 'exit'),
  certainLong: to('outside', 'exit'),
};

/** The state after each input, in each state, and what becomes certain by it. docs/geofences.md says it in words. */
export const FENCE_STATES: Readonly<Record<FencePhase, Readonly<Record<FenceInput, FenceStep>>>> = {
  outside: NOT_IN,
  entering: NOT_IN,
  inside: IN,
  dwelling: IN,
  exiting: IN,
};
