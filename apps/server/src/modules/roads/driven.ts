import { LEVELS, MAX_LAT, worldX, worldY } from './grid.ts';
import { Tracer } from './trace.ts';

/** The part of a position that shows where a vehicle drove. */
export interface RoadFix {
  readonly fixMs: number;
  readonly lat: number;
  readonly lon: number;
  /** m/s; null if the tracker does not report it. */
  readonly speed: number | null;
  /** Degrees; null if the tracker does not report it. */
  readonly course: number | null;
  /** Driven in private mode: not shown to anyone. */
  readonly isPrivate: boolean;
}

export const DAY_MS = 86_400_000;

/** Between two fixes farther apart in time, the route is unknown. */
export const LONGEST_MS = 3 * 60_000;
/** A longer straight line would cut corners in a town. */
const LONGEST_M = 250;
/** For trackers that send no course, whose fixes could otherwise not be joined over longer distances. */
const LONGEST_WITHOUT_COURSE_M = 400;
/** Allowed if both fixes' courses follow a straight line. */
const LONGEST_STRAIGHT_M = 4000;
const STRAIGHT_DEGREES = 12;
const STANDING = 1.5;
/** The fixes of a standing vehicle scatter less than this. */
const FARTHEST_STAND_M = 800;
const FASTEST = 70;

const EARTH_M = 40_075_016.686;

/** The cells that one vehicle drove through, by level as in `LEVELS`, from its fixes in order of time. */
export function drivenCells(fixes: readonly RoadFix[]) {
  const tracers = LEVELS.map(level => new Tracer(level));
  const end = (): void => {
    for (const tracer of tracers) tracer.end();
  };
  let last: RoadFix | null = null;
  for (const fix of fixes) {
    if (fix.isPrivate || Math.abs(fix.lat) > MAX_LAT) {
      end();
      last = null;
      continue;
    }
    const before: RoadFix | null = last;
    last = fix;
    if (!before) continue;
    const step = stepOf(before, fix);
    if (step === 'none') end();
    if (step !== 'drive') continue;
    const day = Math.floor(fix.fixMs / DAY_MS);
    for (const tracer of tracers) {
      tracer.go(worldX(before.lon), worldY(before.lat), worldX(fix.lon), worldY(fix.lat), day);
    }
  }
  end();
  return tracers.map(({ cells }) => cells);
}

/** Whether the vehicle drove straight from one fix to the other, stood there, or took an unknown route. */
function stepOf(from: RoadFix, to: RoadFix): 'drive' | 'stand' | 'none' {
  const seconds = (to.fixMs - from.fixMs) / 1000;
  const metres = distance(from, to);
  const mean = seconds > 0 ? metres / seconds : Number.POSITIVE_INFINITY;
  if (Math.max(from.speed ?? mean, to.speed ?? mean) < STANDING) return metres < FARTHEST_STAND_M ? 'stand' : 'none';
  if (seconds * 1000 > LONGEST_MS || mean > FASTEST || Math.abs(to.lon - from.lon) > 180) return 'none';
  const longest = from.course === null || to.course === null ? LONGEST_WITHOUT_COURSE_M : LONGEST_M;
  return metres <= longest || (metres <= LONGEST_STRAIGHT_M && isStraight(from, to)) ? 'drive' : 'none';
}

function distance(from: RoadFix, to: RoadFix): number {
  const scale = EARTH_M * Math.cos((from.lat * Math.PI) / 180);
  return scale * Math.hypot(worldX(to.lon) - worldX(from.lon), worldY(to.lat) - worldY(from.lat));
}

/** Both courses point along the line between the fixes. */
function isStraight(from: RoadFix, to: RoadFix): boolean {
  const course = (Math.atan2(worldX(to.lon) - worldX(from.lon), worldY(from.lat) - worldY(to.lat)) * 180) / Math.PI;
  return [from, to].every(fix => {
    if (fix.course === null) return false;
    const off = Math.abs(fix.course - course) % 360;
    return Math.min(off, 360 - off) <= STRAIGHT_DEGREES;
  });
}
