import { distanceMetres, isTrackGap } from '@milepost/geo';
import { degrees } from '@milepost/units';
import type { Readings } from '../readings.ts';
import { type State, stateAt } from './borders.ts';

/** Of one trip in one state; null: outside of them, over open water, or during silence. */
export interface StateShare {
  readonly state: State | null;
  readonly millimetres: number;
  /** By the odometer; null if the tracker doesn't report one. */
  readonly odometerM: number | null;
}

/**
 * What a trip drove in each state: its distance in proportion to the straight lines between its reports, each in the
 * state of its middle. The shares add up to the trip's distance, to the millimeter.
 */
export function stateShares(readings: readonly Readings[], millimetres: number): StateShare[] {
  const found = new Map<State | null, { metres: number; odometer: number | null }>();
  const of = (state: State | null) => {
    const known = found.get(state) ?? { metres: 0, odometer: null };
    found.set(state, known);
    return known;
  };
  let last: Readings | null = null;
  let state: State | null = null;
  for (const now of readings) {
    if (!now.isBelieved) continue;
    if (last) {
      const [from, to] = [placeOf(last), placeOf(now)];
      const isUnseen = isTrackGap(from, to);
      const at: State | null = isUnseen ? null : stateAt((from.lat + to.lat) / 2, (from.lon + to.lon) / 2, state);
      if (at) state = at;
      const share = of(at);
      share.metres += distanceMetres(from, to);
      const driven = last.odometer === null || now.odometer === null ? null : now.odometer - last.odometer;
      if (driven !== null && driven >= 0) share.odometer = (share.odometer ?? 0) + driven;
    }
    last = now;
  }
  const whole = [...found.values()].reduce((sum, { metres }) => sum + metres, 0);
  if (whole === 0) {
    const only = readings.find(({ isBelieved }) => isBelieved);
    return [{ state: only ? stateAt(only.lat, only.lon, null) : null, millimetres, odometerM: null }];
  }
  const shares = [...found].map(([of, { metres, odometer }]) => ({
    state: of,
    millimetres: Math.floor((millimetres * metres) / whole),
    odometerM: odometer,
  }));
  // What is left by rounding down belongs to the longest.
  const left = millimetres - shares.reduce((sum, share) => sum + share.millimetres, 0);
  const longest = shares.reduce((known, share) => (share.millimetres > known.millimetres ? share : known));
  return shares.map(share => (share === longest ? { ...share, millimetres: share.millimetres + left } : share));
}

const placeOf = ({ lat, lon, timeMs }: Readings) => ({ lat: degrees(lat), lon: degrees(lon), timeMs });
