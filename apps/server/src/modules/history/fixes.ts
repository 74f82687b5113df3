import type { TripFix } from '@milepost/geo';
import { degrees, epochMs, metres, metresPerSecond, percent } from '@milepost/units';
import { doubtsFromBits } from '../../fleet/vehicle-state.ts';
import type { FixRow } from '../../tracks/fixes.ts';

export function toFix(row: FixRow): TripFix {
  return {
    time: epochMs(row.fix_at.getTime()),
    lat: degrees(row.lat),
    lon: degrees(row.lon),
    speed: row.speed === null ? null : metresPerSecond(row.speed),
    course: row.course === null ? null : degrees(row.course),
    ignition: row.ignition,
    valid: row.valid,
    doubts: doubtsFromBits(row.doubts),
    odometer: row.odometer === null ? null : metres(row.odometer),
    fuel: row.fuel === null ? null : percent(row.fuel),
    card: row.rfid,
  };
}
