import type { RouteAnswer, readVehicleDay } from '@milepost/contract';
import { daySegments, type Fix } from '@milepost/geo';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import type { AccountTransaction } from '../../db/database.ts';
import { doubtsFromBits } from '../../ingest/vehicle-state.ts';

export type Day = RouteAnswer<typeof readVehicleDay>;

/** Fixes before the day that say how it began, and behind it that say what was still undecided at its end. */
const FIXES_AROUND = 30;
const PRIME_MS = 24 * 3_600_000;

export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the reader may see a position with this card. */
  readonly isSeen: (rfid: string | null) => boolean;
}

/** A vehicle's figures for [from, to), by the rules that the live status follows. The future is nobody's gap. */
export async function dayOf(
  trx: AccountTransaction,
  vehicleId: number,
  { fromMs, toMs, isSeen }: Stretch,
  nowMs: number,
): Promise<Day> {
  const endMs = Math.min(toMs, nowMs);
  const fixes = endMs > fromMs ? await fixesAround(trx, vehicleId, new Date(fromMs), new Date(endMs), isSeen) : [];
  const figures = daySegments(fixes, epochMs(fromMs), epochMs(Math.max(fromMs, endMs)));
  return {
    segments: figures.segments.map(({ kind, from, to, distance }) => ({
      kind,
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      distanceM: distance,
    })),
    distanceM: figures.distance,
    movingS: figures.moving,
    idlingS: figures.idling,
    stoppedS: figures.stopped,
    stops: figures.stops,
    maxSpeedMps: figures.maxSpeed,
    fixes: figures.fixes,
    leftOut: figures.leftOut,
  };
}

async function fixesAround(
  trx: AccountTransaction,
  vehicleId: number,
  from: Date,
  to: Date,
  isSeen: Stretch['isSeen'],
): Promise<Fix[]> {
  const all = trx
    .selectFrom('position')
    .select(['fix_at', 'lat', 'lon', 'speed', 'course', 'ignition', 'valid', 'doubts', 'rfid'])
    .where('vehicle_id', '=', vehicleId);
  const before = all
    .where('fix_at', '<', from)
    .where('fix_at', '>=', new Date(from.getTime() - PRIME_MS))
    .orderBy('fix_at', 'desc')
    .limit(FIXES_AROUND);
  const within = all.where('fix_at', '>=', from).where('fix_at', '<', to);
  const behind = all.where('fix_at', '>=', to).orderBy('fix_at').limit(FIXES_AROUND);
  const rows = (await Promise.all([before.execute(), within.execute(), behind.execute()])).flat();
  const seen = rows.filter(({ rfid }) => isSeen(rfid));
  return seen.map(row => ({
    time: epochMs(row.fix_at.getTime()),
    lat: degrees(row.lat),
    lon: degrees(row.lon),
    speed: row.speed === null ? null : metresPerSecond(row.speed),
    course: row.course === null ? null : degrees(row.course),
    ignition: row.ignition,
    valid: row.valid,
    doubts: doubtsFromBits(row.doubts),
  }));
}
