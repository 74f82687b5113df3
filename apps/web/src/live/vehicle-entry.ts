import type { PositionReport, Vehicle } from '@milepost/contract';
import { type StatusNow, type Thresholds, vehicleStatus } from '@milepost/geo';
import { type EpochMs, epochMs } from '@milepost/units';
import type { TimedReport, TimedState } from './live-message.ts';

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

/** Everything the screen knows about one vehicle. Immutable: a change makes a new object. */
export interface VehicleEntry {
  readonly vehicle: Vehicle;
  /** The newest report, valid or not; null before the first. */
  readonly report: PositionReport | null;
  readonly fixMs: EpochMs | null;
  readonly receivedMs: EpochMs | null;
  /** When the server last heard from the tracker. */
  readonly heardMs: EpochMs | null;
  /** Where the vehicle last was for sure; nothing else is drawn on the map. */
  readonly place: Place | null;
  readonly now: StatusNow;
}

/** A vehicle's data from each of its three sources. */
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

/** A report may arrive before the server's state for it; its time and position apply at once. */
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

/** Status and reason are what the screen shows; the moving ages inside a reason alone are no change. */
export function sameStatus(a: StatusNow, b: StatusNow): boolean {
  return a.status === b.status && a.sinceMs === b.sinceMs && a.reason.rule === b.reason.rule;
}
