import { LEVELS, MAX_LAT, worldX, worldY } from './grid.ts';
import { Tracer } from './trace.ts';

/** A position as far as it says where a vehicle drove. */
export interface RoadFix {
  readonly fixMs: number;
  readonly lat: number;
  readonly lon: number;
  /** m/s; null where the tracker does not say. */
  readonly speed: number | null;
  /** Degrees; null where the tracker does not say. */
  readonly course: number | null;
  /** Driven for somebody's own purposes: told to nobody. */
  readonly isPrivate: boolean;
}

export const DAY_MS = 86_400_000;

/** Between two fixes farther apart nobody knows the way. */
export const LONGEST_MS = 3 * 60_000;
/** A straight line over more of a town leaves the streets at its corners. */
const LONGEST_M = 250;
/** Where a tracker sends no course, so that nothing farther could be joined. */
const LONGEST_WITHOUT_COURSE_M = 400;
/** Farther where both fixes say that it went straight on. */
const LONGEST_STRAIGHT_M = 4000;
const STRAIGHT_DEGREES = 12;
const STANDING = 1.5;
/** A standing vehicle's fixes scatter no farther. */
const FARTHEST_STAND_M = 800;
const FASTEST = 70;

const EARTH_M = 40_075_016.686;

/** The cells through which these fixes of one vehicle, in the order of time, were driven; by level, as in `LEVELS`. */
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

/** Whether the vehicle drove straight from one fix to the other, stood there, or went nobody knows where. */
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

/** Both were headed along the line between them. */
function isStraight(from: RoadFix, to: RoadFix): boolean {
  const course = (Math.atan2(worldX(to.lon) - worldX(from.lon), worldY(from.lat) - worldY(to.lat)) * 180) / Math.PI;
  return [from, to].every(fix => {
    if (fix.course === null) return false;
    const off = Math.abs(fix.course - course) % 360;
    return Math.min(off, 360 - off) <= STRAIGHT_DEGREES;
  });
}
