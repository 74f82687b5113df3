import type { PositionReport } from '@milepost/contract';
import { isTrackGap, type TimedPlace } from '@milepost/geo';
import { degrees, fromKilometresPerHour, type MetresPerSecond, metresPerSecond } from '@milepost/units';
import type { Track } from '../../tracks/unpack.ts';

export interface TrailPoint {
  readonly lon: number;
  readonly lat: number;
  readonly timeMs: number;
  /** Sent by the tracker after newer ones, out of its memory. */
  readonly late: boolean;
}

export interface TrackPoint extends TrailPoint {
  /** Null where the tracker said nothing. */
  readonly speed: MetresPerSecond | null;
}

/** A stretch of the track: driven, or only guessed because nothing was heard in between. */
export interface TrailStretch {
  readonly kind: 'track' | 'gap';
  readonly points: readonly TrailPoint[];
}

/** Null for a report without a place to draw. */
export function trackPoint(report: PositionReport): TrackPoint | null {
  const timeMs = Date.parse(`${report.reportDate}T${report.reportTime}Z`);
  if (report.gpsStatus !== 'A' || Number.isNaN(timeMs)) return null;
  const speed = report.speedKnown === false ? null : fromKilometresPerHour(report.speed);
  return { lon: report.lon, lat: report.lat, timeMs, late: report.late === true, speed };
}

/** A track as it was read. */
export const trackPoints = ({ timeMs, lat, lon, speed, late }: Track): TrackPoint[] =>
  Array.from(timeMs, (at, i) => ({
    lon: lon[i] as number,
    lat: lat[i] as number,
    timeMs: at,
    late: late[i] === 1,
    speed: Number.isNaN(speed[i]) ? null : metresPerSecond(speed[i] as number),
  }));

/** Points in time order, one per moment, without those before `fromMs`. Late points are inserted in order. */
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

const isGap = (from: TrailPoint, to: TrailPoint): boolean => isTrackGap(place(from), place(to));

const place = ({ lat, lon, timeMs }: TrailPoint): TimedPlace => ({ timeMs, lat: degrees(lat), lon: degrees(lon) });
