import type { FenceFix, FollowerState } from '@milepost/geo';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import { accuracyOf } from '../../../tracks/accuracy.ts';
import type { FixRow } from '../../../tracks/fixes.ts';
import { type Box, widened } from './box.ts';

/** What following goes on with at the beginning of a day, and where the vehicle was on it. */
export interface FollowedDay {
  readonly state: FollowerState;
  /** Null if the day has no fixes. */
  readonly box: Box | null;
}

/** The way to the first fix of a day belongs to the day. */
export function withFix({ state, box }: FollowedDay, fix: FenceFix): FollowedDay {
  const begun = box ?? (state.last && widened(null, state.last));
  const wider = widened(begun, fix);
  return wider === box ? { state, box } : { state, box: wider };
}

/** A fix as geofences see it; only of those that are believed. */
export const toFenceFix = (row: Pick<FixRow, 'fix_at' | 'lat' | 'lon' | 'speed' | 'ignition' | 'hdop'>): FenceFix => ({
  time: epochMs(row.fix_at.getTime()),
  lat: degrees(row.lat),
  lon: degrees(row.lon),
  speed: row.speed === null ? null : metresPerSecond(row.speed),
  ignition: row.ignition,
  accuracy: accuracyOf(row.hdop),
});
