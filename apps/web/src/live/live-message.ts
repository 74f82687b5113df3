import type { LiveState, PositionReport } from '@milepost/contract';
import { doubtsOf, type LiveVehicle } from '@milepost/geo';
import { degrees, type EpochMs, epochMs, seconds } from '@milepost/units';

/** A position report with its times parsed to numbers, because reports are compared far more often than they arrive. */
export interface TimedReport {
  readonly report: PositionReport;
  /** The time of the fix by the tracker's clock, in whole seconds. */
  readonly fixMs: EpochMs;
  readonly receivedMs: EpochMs;
  /** Whether the position may be drawn, judging by this report alone. The server checks more (`vehicleState`). */
  readonly placed: boolean;
}

/** A live state with its times parsed to numbers, in the shape that `vehicleStatus` reads. */
export interface TimedState extends LiveVehicle {
  /** The vehicle's last trustworthy position. */
  readonly lat: number | null;
  readonly lon: number | null;
}

/**
 * Parses a report. Returns null if its time can't be right. Such a report is stored and shown under Raw, but here a fix
 * from next year would hide all later ones.
 */
export function timedReport(report: PositionReport): TimedReport | null {
  const fixMs = epochMs(Date.parse(`${report.reportDate}T${report.reportTime}Z`));
  if (Number.isNaN(fixMs)) return null;
  const receivedMs = report.receivedAt === undefined ? fixMs : epochMs(Date.parse(report.receivedAt));
  const valid = report.gpsStatus === 'A';
  const place = { lat: degrees(report.lat), lon: degrees(report.lon) };
  const doubts = doubtsOf(
    null,
    { ...place, time: fixMs, speed: null, course: null, ignition: null, valid },
    receivedMs,
  );
  if (doubts.includes('impossible-time')) return null;
  return { report, fixMs, receivedMs, placed: valid && doubts.length === 0 };
}

export function timedState(live: LiveState): TimedState {
  return {
    motion: live.motion,
    since: instant(live.motionSince),
    fixAt: instant(live.fixAt),
    heardAt: instant(live.heardAt),
    gpsValid: live.gpsValid,
    ...(live.private && { private: true }),
    interval: live.intervalS === null ? null : seconds(live.intervalS),
    lat: live.lat,
    lon: live.lon,
  };
}

const instant = (iso: string | null): EpochMs | null => (iso === null ? null : epochMs(Date.parse(iso)));

/**
 * The newer of two reports of one vehicle: by fix time, then reception, then content. This is a total order, so the
 * result doesn't depend on the order of snapshot and stream, or on repeated reports.
 */
export function newerReport(a: TimedReport, b: TimedReport): TimedReport {
  if (a.fixMs !== b.fixMs) return a.fixMs > b.fixMs ? a : b;
  if (a.receivedMs !== b.receivedMs) return a.receivedMs > b.receivedMs ? a : b;
  return greaterText(a.report, b.report) ? a : b;
}

/** The newer of two live states: by when the tracker last reported, then by its newest fix, then by content. */
export function newerState(a: TimedState, b: TimedState): TimedState {
  const heard = (a.heardAt ?? 0) - (b.heardAt ?? 0);
  if (heard !== 0) return heard > 0 ? a : b;
  const fix = (a.fixAt ?? 0) - (b.fixAt ?? 0);
  if (fix !== 0) return fix > 0 ? a : b;
  return greaterText(a, b) ? a : b;
}

const greaterText = (a: object, b: object): boolean => JSON.stringify(a) >= JSON.stringify(b);
