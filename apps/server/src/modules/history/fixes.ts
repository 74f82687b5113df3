import type { Fix } from '@milepost/geo';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import type { Selectable } from 'kysely';
import type { AccountTransaction } from '../../db/database.ts';
import type { Database } from '../../db/schema.ts';
import { doubtsFromBits } from '../../ingest/vehicle-state.ts';

/** Fixes before a stretch that say how it began, and behind it that say what was still undecided at its end. */
export const FIXES_AROUND = 30;
/** Older ones say nothing about how it began. */
export const PRIME_MS = 24 * 3_600_000;

export const FIX_COLUMNS = ['fix_at', 'lat', 'lon', 'speed', 'course', 'ignition', 'valid', 'doubts', 'rfid'] as const;
export type FixRow = Pick<Selectable<Database['position']>, (typeof FIX_COLUMNS)[number]>;

export function toFix(row: FixRow): Fix {
  return {
    time: epochMs(row.fix_at.getTime()),
    lat: degrees(row.lat),
    lon: degrees(row.lon),
    speed: row.speed === null ? null : metresPerSecond(row.speed),
    course: row.course === null ? null : degrees(row.course),
    ignition: row.ignition,
    valid: row.valid,
    doubts: doubtsFromBits(row.doubts),
  };
}

const fixesOf = (trx: AccountTransaction, vehicleId: number) =>
  trx.selectFrom('position').select(FIX_COLUMNS).where('vehicle_id', '=', vehicleId);

/** The newest fixes before a moment, oldest first. */
export async function fixesBefore(trx: AccountTransaction, vehicleId: number, from: Date): Promise<FixRow[]> {
  const rows = await fixesOf(trx, vehicleId)
    .where('fix_at', '<', from)
    .where('fix_at', '>=', new Date(from.getTime() - PRIME_MS))
    .orderBy('fix_at', 'desc')
    .limit(FIXES_AROUND)
    .execute();
  return rows.reverse();
}

/** The fixes of [from, to) and the few around them, in the order of time. */
export async function fixesAround(trx: AccountTransaction, vehicleId: number, from: Date, to: Date): Promise<FixRow[]> {
  const all = fixesOf(trx, vehicleId).orderBy('fix_at');
  return [
    ...(await fixesBefore(trx, vehicleId, from)),
    ...(await all.where('fix_at', '>=', from).where('fix_at', '<', to).execute()),
    ...(await all.where('fix_at', '>=', to).limit(FIXES_AROUND).execute()),
  ];
}
