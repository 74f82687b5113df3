import { daySegments } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import { fixesAround } from '../../../tracks/fixes.ts';
import { toFix } from '../fixes.ts';
import type { Calendar } from './calendar.ts';
import { type DayTotals, totalsOf } from './totals.ts';

export interface DayAsked {
  readonly fromMs: number;
  readonly toMs: number;
  readonly nowMs: number;
  readonly calendar: Calendar;
}

/** The day of vehicles of which the user sees only some cards, counted from the positions. */
export async function cardDay<V extends { readonly id: number }>(
  trx: AccountTransaction,
  vehicles: readonly V[],
  { fromMs, toMs, nowMs, calendar }: DayAsked,
  isSeen: (vehicle: V, rfid: string | null, atMs: number) => boolean,
): Promise<Map<number, DayTotals>> {
  const endMs = Math.max(fromMs, Math.min(toMs, nowMs));
  const days = new Map<number, DayTotals>();
  for (const vehicle of vehicles) {
    const rows = endMs > fromMs ? await fixesAround(trx, vehicle.id, new Date(fromMs), new Date(endMs)) : [];
    const fixes = rows.filter(({ fix_at, rfid }) => isSeen(vehicle, rfid, fix_at.getTime())).map(toFix);
    days.set(vehicle.id, totalsOf(daySegments(fixes, epochMs(fromMs), epochMs(endMs)), calendar));
  }
  return days;
}
