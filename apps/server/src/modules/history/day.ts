import type { RouteAnswer, readVehicleDay } from '@milepost/contract';
import { daySegments } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../db/database.ts';
import { fixesAround } from '../../tracks/fixes.ts';
import { toFix } from './fixes.ts';

export type Day = RouteAnswer<typeof readVehicleDay>;

export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether the user may see a position with this driver card. */
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
  const rows = endMs > fromMs ? await fixesAround(trx, vehicleId, new Date(fromMs), new Date(endMs)) : [];
  const fixes = rows.filter(({ rfid }) => isSeen(rfid)).map(toFix);
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
