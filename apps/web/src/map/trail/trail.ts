import type { PositionReport } from '@milepost/contract';
import { distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';

export interface TrailPoint {
  readonly lon: number;
  readonly lat: number;
  readonly timeMs: number;
  /** Sent by the tracker after newer ones, out of its memory. */
  readonly late: boolean;
}

/** A stretch of the track: driven, or only guessed because nothing was heard in between. */
export interface TrailStretch {
  readonly kind: 'track' | 'gap';
  readonly points: readonly TrailPoint[];
}

/** Silence on a track this long and far is a gap: what lies between is not known. */
const GAP_MS = 5 * 60_000;
const GAP_METRES = 400;

/** Null for a report without a place to draw. */
export function trailPoint(report: PositionReport): TrailPoint | null {
  const timeMs = Date.parse(`${report.reportDate}T${report.reportTime}Z`);
  if (report.gpsStatus !== 'A' || Number.isNaN(timeMs)) return null;
  return { lon: report.lon, lat: report.lat, timeMs, late: report.late === true };
}

/** Points in the order of time, each moment once; what is older than `fromMs` is left out. Late points find their place. */
export function mergeTrail(known: readonly TrailPoint[], more: readonly TrailPoint[], fromMs: number): TrailPoint[] {
  const byTime = new Map<number, TrailPoint>();
  for (const point of known) byTime.set(point.timeMs, point);
  for (const point of more) byTime.set(point.timeMs, point);
  return [...byTime.values()].filter(({ timeMs }) => timeMs >= fromMs).sort((a, b) => a.timeMs - b.timeMs);
}

/** Cuts a trail where nothing was heard; each gap is a stretch of its own between its two ends. */
export function trailStretches(points: readonly TrailPoint[]): TrailStretch[] {
  const stretches: TrailStretch[] = [];
  let track: TrailPoint[] = [];
  const endWay = (): void => {
    if (track.length > 1) stretches.push({ kind: 'track', points: track });
    track = [];
  };
  for (const point of points) {
    const last = track.at(-1);
    if (last && isGap(last, point)) {
      endWay();
      stretches.push({ kind: 'gap', points: [last, point] });
    }
    track.push(point);
  }
  endWay();
  return stretches;
}

const isGap = (from: TrailPoint, to: TrailPoint): boolean =>
  to.timeMs - from.timeMs > GAP_MS && distanceMetres(place(from), place(to)) > GAP_METRES;

const place = ({ lat, lon }: TrailPoint) => ({ lat: degrees(lat), lon: degrees(lon) });
