import { joinParts, type Leg, type LegPart, type TripCount, TripCounter } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Followed, Projection } from '../../../projections/projection.ts';
import type { ProjectionRunner } from '../../../projections/runner.ts';
import { fixesAround } from '../../../tracks/fixes.ts';
import type { AccountCalendars } from '../days/account-calendars.ts';
import type { Calendar } from '../days/calendar.ts';
import { dayProjection } from '../days/store.ts';
import type { VehicleDays } from '../days/vehicle-days.ts';
import { toFix } from '../fixes.ts';
import { readParts, writeParts } from './part-rows.ts';

export type TripProjection = Projection<VehicleDays<TripCounter>>;

/** How many days a leg is followed beyond the period. */
const STEPS = 31;
/** Counting from positions costs more than reading stored parts. */
const COUNTED_STEPS = 2;

export const tripProjection = (calendars: AccountCalendars): TripProjection =>
  dayProjection({
    name: 'trips',
    table: 'trip_day',
    calendars,
    begin: (from, to, count) => new TripCounter(from, to, count as TripCount | undefined),
    columns: () => ({}),
    writeMore: (trx, days, nowMs) =>
      writeParts(
        trx,
        days.map(({ accountId, vehicleId, calendar, day }) => ({
          accountId,
          vehicleId,
          date: calendar.dateOf(day.day),
          parts: day.counter.figures(day.untilMs(nowMs)).parts,
        })),
      ),
  });

/** The parts of the days from first to last, oldest first. */
export type PartsOn = (fromDay: number, toDay: number) => Promise<LegPart[]>;

/** Stored parts of past days, and today's from the open counters. */
export function partsKept(
  trx: AccountTransaction,
  { manager, trips }: { readonly manager: ProjectionRunner; readonly trips: TripProjection },
  vehicle: Followed,
  calendar: Calendar,
  nowMs: number,
): { readonly partsOn: PartsOn; readonly steps: number } {
  const today = calendar.dayOf(nowMs);
  const partsOn: PartsOn = async (fromDay, toDay) => {
    const over = Math.min(toDay, today - 1);
    const parts = fromDay > over ? [] : await readParts(trx, vehicle, calendar.dateOf(fromDay), calendar.dateOf(over));
    const open = toDay < today ? null : (manager.fold(trips, vehicle.id)?.open(today) ?? null);
    if (open === null || open.isEmpty) return parts;
    return [...parts, ...open.counter.figures(open.untilMs(nowMs)).parts];
  };
  return { partsOn, steps: STEPS };
}

/** Counted from the positions that the user may see: no trips are stored for a vehicle that they see in part. */
export function partsSeen(
  trx: AccountTransaction,
  vehicleId: number,
  calendar: Calendar,
  nowMs: number,
  isSeen: (rfid: string | null, atMs: number) => boolean,
): { readonly partsOn: PartsOn; readonly steps: number } {
  const partsOn: PartsOn = async (fromDay, toDay) => {
    const parts: LegPart[] = [];
    for (let day = fromDay; day <= Math.min(toDay, calendar.dayOf(nowMs)); day++) {
      const [from, to] = [calendar.startOf(day), calendar.startOf(day + 1)];
      const until = epochMs(Math.min(to, nowMs));
      const rows = await fixesAround(trx, vehicleId, new Date(from), new Date(until));
      const seen = rows.filter(({ fix_at, rfid }) => isSeen(rfid, fix_at.getTime()));
      if (!seen.some(({ fix_at }) => fix_at.getTime() < until)) continue;
      const counter = new TripCounter(from, to);
      for (const row of seen) counter.add(toFix(row));
      parts.push(...counter.figures(until).parts);
    }
    return parts;
  };
  return { partsOn, steps: COUNTED_STEPS };
}

/** The trips, stops and gaps that overlap [from, to), each in full. */
export async function legsBetween(
  { partsOn, steps }: { readonly partsOn: PartsOn; readonly steps: number },
  calendar: Calendar,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<Leg[]> {
  let [first, last] = [calendar.dayOf(fromMs), calendar.dayOf(toMs - 1)];
  let parts = await partsOn(first, last);
  const within = (): Leg[] => joinParts(parts).filter(({ from, to }) => from < toMs && to > fromMs);
  for (let step = 0; step < steps && within()[0]?.from === calendar.startOf(first); step++) {
    const before = await partsOn(first - 1, first - 1);
    if (before.length === 0) break;
    parts = [...before, ...parts];
    first--;
  }
  for (let step = 0; step < steps && within().at(-1)?.to === calendar.startOf(last + 1); step++) {
    const after = await partsOn(last + 1, last + 1);
    if (after.length === 0) break;
    parts = [...parts, ...after];
    last++;
  }
  return within();
}
