import type { PositionReport, Vehicle } from '@milepost/contract';
import { type StatusNow, type Thresholds, vehicleStatus } from '@milepost/geo';
import { type EpochMs, epochMs } from '@milepost/units';
import type { TimedReport, TimedState } from './live-message.ts';

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Everything the page knows about one vehicle. Immutable: a change creates a new object. */
export interface VehicleEntry {
  readonly vehicle: Vehicle;
  /** The newest report, valid or not; null before the first one. */
  readonly report: PositionReport | null;
  readonly fixMs: EpochMs | null;
  readonly receivedMs: EpochMs | null;
  /** When the tracker last reached the server. */
  readonly heardMs: EpochMs | null;
  /** The vehicle's last trustworthy position, the only one drawn on the map. */
  readonly place: Place | null;
  readonly now: StatusNow;
}

/** A vehicle's data from its three sources: list, live state and newest report. */
export interface Known {
  readonly vehicle: Vehicle;
  readonly state: TimedState;
  readonly report: TimedReport | null;
}

export function toEntry({ vehicle, state, report }: Known, nowMs: number, thresholds?: Thresholds): VehicleEntry {
  const live = withReport(state, report);
  return {
    vehicle,
    report: report?.report ?? null,
    fixMs: live.fixAt,
    receivedMs: report?.receivedMs ?? null,
    heardMs: live.heardAt,
    place: live.lat === null || live.lon === null ? null : { lat: live.lat, lon: live.lon },
    now: vehicleStatus(live, epochMs(nowMs), thresholds),
  };
}

/** Applies a report's time and position to the state, in case the report arrived before the server's state for it. */
function withReport(state: TimedState, report: TimedReport | null): TimedState {
  if (!report) return state;
  const isNews = state.fixAt === null || report.fixMs > state.fixAt;
  const isHeard = state.heardAt === null || report.receivedMs > state.heardAt;
  if (!isNews && !isHeard) return state;
  return {
    ...state,
    ...(isHeard ? { heardAt: report.receivedMs } : {}),
    ...(isNews ? { fixAt: report.fixMs, gpsValid: report.placed } : {}),
    ...(isNews && report.placed ? { lat: report.report.lat, lon: report.report.lon } : {}),
  };
}

/** Whether two statuses look the same to the user. Ages inside the reason change all the time and don't count. */
export function sameStatus(a: StatusNow, b: StatusNow): boolean {
  return a.status === b.status && a.sinceMs === b.sinceMs && a.reason.rule === b.reason.rule;
}
