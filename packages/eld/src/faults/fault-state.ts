import type { EpochMs } from '@milepost/units';
import { FAULT_EVENT_CODES, type FaultCode, isMalfunction } from '../event/codes.ts';
import type { RollingDay } from './rolling-day.ts';

/** What the detection of faults remembers. Plain JSON: it is stored and read back as it is. */
export interface FaultState {
  readonly active: readonly FaultCode[];
  readonly missedDriving: RollingDay;
  /** Without an engine source: since when now, and what the last day had. */
  readonly sourcesLostSince: EpochMs | null;
  readonly sourcesLost: RollingDay;
  /** Farther than five miles from the last valid fix: since when now, and what the last day had. */
  readonly fixLostSince: EpochMs | null;
  readonly fixLost: RollingDay;
  /** Checks of the transfer in a row that were not confirmed, and when the next is due. */
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

/** An event of type 7 that is to be recorded. */
export interface FaultMark {
  readonly at: EpochMs;
  readonly faultCode: FaultCode;
  /** 1 to 4 (Appendix A, 7.20). */
  readonly code: number;
}

/** Which codes are to be active from now on; those that are not named stay as they are. */
export type Wanted = Partial<Readonly<Record<FaultCode, boolean>>>;

/** Logs what becomes active and clears what ends; what stays as it is says nothing. */
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
