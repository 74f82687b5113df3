import { type FaultMark, type FaultState, settle } from './fault-state.ts';
import { type Finding, MACHINES } from './machines.ts';
import type { Observation } from './observation.ts';

/** Driving as an exempt driver suspends the checks for missing elements and data transfer (4.3.3.1.2). */
const SUSPENDED_WHEN_EXEMPT: ReadonlySet<Observation['kind']> = new Set(['elements', 'transfer']);

/**
 * Malfunctions and data diagnostics (Appendix A, 4.6): the next state after an observation, and the type 7 events that
 * result. Observations of one kind must come in order of time.
 */
export function advanceFaults(
  state: FaultState,
  observation: Observation,
  exempt = false,
): { readonly state: FaultState; readonly marks: readonly FaultMark[] } {
  if (exempt && SUSPENDED_WHEN_EXEMPT.has(observation.kind)) return { state, marks: [] };
  const machine = MACHINES[observation.kind] as (state: FaultState, observation: Observation) => Finding;
  const { remember, wanted } = machine(state, observation);
  return settle({ ...state, ...remember }, wanted, observation.at);
}
