import { distanceMetres } from '@milepost/geo';
import { degrees } from '@milepost/units';

export interface TrailFix {
  readonly fix_at: Date;
  readonly lat: number;
  readonly lon: number;
  readonly rfid: string | null;
}

export interface TrailPoint {
  readonly lat: number;
  readonly lon: number;
  readonly at: string;
}

/** Fixes closer than this to the last point are skipped. */
const STEP_METRES = 15;
/** A phone draws this many points easily: a day of driving at one point a minute. */
const MOST_POINTS = 1500;

/** The trail as a line: the first and last fix, and the fixes between that a map can show. */
export function sharedTrail(fixes: readonly TrailFix[]): TrailPoint[] {
  const kept: TrailFix[] = [];
  for (const [i, fix] of fixes.entries()) {
    const last = kept.at(-1);
    if (!last || i === fixes.length - 1 || distanceMetres(place(last), place(fix)) >= STEP_METRES) kept.push(fix);
  }
  const every = Math.ceil(kept.length / MOST_POINTS);
  return kept
    .filter((_, i) => i % every === 0 || i === kept.length - 1)
    .map(({ fix_at, lat, lon }) => ({ lat, lon, at: fix_at.toISOString() }));
}

const place = ({ lat, lon }: TrailFix) => ({ lat: degrees(lat), lon: degrees(lon) });
