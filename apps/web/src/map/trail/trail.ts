import type { PositionReport } from '@milepost/contract';
import { isTrackGap, type TimedPlace } from '@milepost/geo';
import { degrees, fromKilometresPerHour, type MetresPerSecond, metresPerSecond } from '@milepost/units';
import type { Track } from '../../tracks/unpack.ts';

export interface TrailPoint {
  readonly lon: number;
  readonly lat: number;
  readonly timeMs: number;
  /** The tracker sent this point from its memory, after newer ones. */
  readonly late: boolean;
  /** Nothing leads here from the point before: another vehicle's trail begins. */
  readonly begins?: true;
}

export interface TrackPoint extends TrailPoint {
  /** Null if the tracker reported no speed. */
  readonly speed: MetresPerSecond | null;
}

/** A stretch of the trail: driven, or a guess because there were no reports in between. */
export interface TrailStretch {
  readonly kind: 'track' | 'gap';
  readonly points: readonly TrailPoint[];
}

/** The report as a point; null if it has no valid position or time. */
export function trackPoint(report: PositionReport): TrackPoint | null {
  const timeMs = Date.parse(`${report.reportDate}T${report.reportTime}Z`);
  if (report.gpsStatus !== 'A' || Number.isNaN(timeMs)) return null;
  const speed = report.speedKnown === false ? null : fromKilometresPerHour(report.speed);
  return { lon: report.lon, lat: report.lat, timeMs, late: report.late === true, speed };
}

/** Converts a track from the server to points. */
export const trackPoints = ({ timeMs, lat, lon, speed, late }: Track): TrackPoint[] =>
  Array.from(timeMs, (at, i) => ({
    lon: lon[i] as number,
    lat: lat[i] as number,
    timeMs: at,
    late: late[i] === 1,
    speed: Number.isNaN(speed[i]) ? null : metresPerSecond(speed[i] as number),
  }));

/** Merges points: in time order, one per moment, none before `fromMs`. Late points land where they belong. */
export function mergeTrail(known: readonly TrailPoint[], more: readonly TrailPoint[], fromMs: number): TrailPoint[] {
  const byTime = new Map<number, TrailPoint>();
  for (const point of known) byTime.set(point.timeMs, point);
  for (const point of more) byTime.set(point.timeMs, point);
  return [...byTime.values()].filter(({ timeMs }) => timeMs >= fromMs).sort((a, b) => a.timeMs - b.timeMs);
}

/** Splits a trail where reports are missing. Each gap becomes a stretch between its two ends. */
export function trailStretches(points: readonly TrailPoint[]): TrailStretch[] {
  const stretches: TrailStretch[] = [];
  let track: TrailPoint[] = [];
  const endWay = (): void => {
    if (track.length > 1) stretches.push({ kind: 'track', points: track });
    track = [];
  };
  for (const point of points) {
    const last = track.at(-1);
    if (point.begins) endWay();
    else if (last && isGap(last, point)) {
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
