import type { EpochMs } from '@milepost/units';
import { FAULT_EVENT_CODES, type FaultCode, isMalfunction } from '../event/codes.ts';
import type { RollingDay } from './rolling-day.ts';

/** The state of fault detection. Plain JSON, stored as it is. */
export interface FaultState {
  readonly active: readonly FaultCode[];
  readonly missedDriving: RollingDay;
  /** Time without an engine source: since when, if it is missing now, and the stretches of the last 24 hours. */
  readonly sourcesLostSince: EpochMs | null;
  readonly sourcesLost: RollingDay;
  /**
   * Time farther than five miles from the last valid fix: since when, if so now, and the stretches of the last 24
   * hours.
   */
  readonly fixLostSince: EpochMs | null;
  readonly fixLost: RollingDay;
  /** Consecutive transfer checks that were not confirmed, and when the next is due. */
  readonly transferFailures: number;
  readonly nextTransferCheck: EpochMs | null;
}

export const NO_FAULTS: FaultState = {
  active: [],
  missedDriving: [],
  sourcesLostSince: null,
  sourcesLost: [],
  fixLostSince: null,
  fixLost: [],
  transferFailures: 0,
  nextTransferCheck: null,
};

/** An event of type 7 to record. */
export interface FaultMark {
  readonly at: EpochMs;
  readonly faultCode: FaultCode;
  /** 1 to 4 (Appendix A, 7.20). */
  readonly code: number;
}

/** Which fault codes should be active from now on; codes not listed keep their state. */
export type Wanted = Partial<Readonly<Record<FaultCode, boolean>>>;

/** Returns an event for each fault that becomes active or clears; unchanged faults make none. */
export function settle(state: FaultState, wanted: Wanted, at: EpochMs): { state: FaultState; marks: FaultMark[] } {
  const marks: FaultMark[] = [];
  let active = state.active;
  for (const [key, want] of Object.entries(wanted)) {
    const faultCode = key as FaultCode;
    if (want === active.includes(faultCode)) continue;
    active = want ? [...active, faultCode] : active.filter(code => code !== faultCode);
    const kind = isMalfunction(faultCode) ? 'malfunction' : 'diagnostic';
    marks.push({ at, faultCode, code: FAULT_EVENT_CODES[`${kind}-${want ? 'logged' : 'cleared'}`] });
  }
  return { state: { ...state, active }, marks };
}

/** The two indicators of the display, and the flags of every record (4.6.2, 4.6.3). */
export const indicatorsOf = ({
  active,
}: FaultState): { readonly malfunction: boolean; readonly diagnostic: boolean } => ({
  malfunction: active.some(isMalfunction),
  diagnostic: active.some(code => !isMalfunction(code)),
});
