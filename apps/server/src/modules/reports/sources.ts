import { joinParts, type Leg, type LegPart, splitLeg } from '@milepost/geo';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import { nearOf } from '../../ingest/report.ts';
import { turn } from '../../workers/turns.ts';
import { cardDay } from '../history/days/card-day.ts';
import { fromColumns } from '../history/days/totals.ts';
import { readPartsOf } from '../history/trips/part-rows.ts';
import { partsSeen } from '../history/trips/trips.ts';
import type { Asked, PartKind, ReportParts, ReportSources, VehicleDayTotals } from './report.ts';
import { visitParts } from './visit-parts.ts';

/** Vehicles that one query reads. */
const BATCH = 25;

export function createReportSources({ db }: Pick<Context, 'db'>, parts: ReportParts): ReportSources {
  const { figures, reportContext } = parts;

  /** What is kept of past days, and today's from the open counters. */
  const keptParts = async (asked: Asked, batch: readonly DirectoryEntry[], kinds: readonly PartKind[] | undefined) => {
    const { calendar, from, nowMs, session, to } = asked;
    const today = calendar.dayOf(nowMs);
    const over = Math.min(to, today - 1);
    const ids = batch.map(({ id }) => id);
    const kept: Map<number, LegPart[]> =
      from > over
        ? new Map()
        : await db.asAccount(session.accountId, trx =>
            readPartsOf(trx, ids, { from: calendar.dateOf(from), to: calendar.dateOf(over) }, kinds),
          );
    return batch.map(vehicle => {
      const past = kept.get(vehicle.id) ?? [];
      const open =
        today < from || today > to ? null : (figures.manager.fold(figures.trips, vehicle.id)?.open(today) ?? null);
      if (open === null || open.isEmpty) return { vehicle, parts: past };
      return { vehicle, parts: [...past, ...open.counter.figures(open.untilMs(nowMs)).parts] };
    });
  };

  const seenParts = async (asked: Asked, vehicle: DirectoryEntry) => {
    const { calendar, from, nowMs, session, seesPosition, to } = asked;
    const isSeen = (rfid: string | null, atMs: number): boolean => seesPosition?.(vehicle, rfid, atMs) ?? true;
    const parts = await db.asAccount(session.accountId, trx =>
      partsSeen(trx, vehicle.id, calendar, nowMs, isSeen).partsOn(from, to),
    );
    return { vehicle, parts };
  };

  return {
    db,
    parts,
    legs: async function* (asked, kinds) {
      for (const batch of batchesOf(asked.vehicles)) {
        const read = asked.seesPosition
          ? await Promise.all(batch.map(vehicle => seenParts(asked, vehicle)))
          : await keptParts(asked, batch, kinds);
        yield read.map(({ vehicle, parts }) => ({ vehicle, legs: joinWithinGroups(asked, parts) }));
        await turn();
      }
    },
    days: async function* (asked) {
      const { calendar, from, nowMs, seesPosition, session, to } = asked;
      const today = calendar.dayOf(nowMs);
      for (const batch of batchesOf(asked.vehicles)) {
        if (seesPosition) {
          yield await seenDays(asked, batch);
          continue;
        }
        const rows = await db.asAccount(session.accountId, trx =>
          trx
            .selectFrom('vehicle_day')
            .selectAll()
            .where(sql<boolean>`vehicle_id = any (${batch.map(({ id }) => id)})`)
            .where('day', '>=', calendar.dateOf(from))
            .where('day', '<=', calendar.dateOf(Math.min(to, today - 1)))
            .orderBy('day')
            .execute(),
        );
        const byVehicle = Map.groupBy(rows, row => row.vehicle_id);
        yield batch.flatMap(vehicle => {
          const past = (byVehicle.get(vehicle.id) ?? []).map(row => ({
            vehicle,
            day: calendar.numberOf(row.day),
            totals: fromColumns(row),
          }));
          const now = today < from || today > to ? null : figures.today(vehicle.id, nowMs);
          return now === null ? past : [...past, { vehicle, day: today, totals: now }];
        });
        await turn();
      }
    },
    visits: async function* (asked) {
      if (asked.seesPosition) return;
      for (const batch of batchesOf(asked.vehicles)) {
        yield await db.asAccount(asked.session.accountId, trx => visitParts(trx, asked, batch));
        await turn();
      }
    },
    withData: async asked => {
      const { calendar, from, nowMs, seesPosition, session, to, vehicles } = asked;
      if (seesPosition) {
        const days = (await Promise.all(batchesOf(vehicles).map(batch => seenDays(asked, batch)))).flat();
        return new Set(days.map(({ vehicle }) => vehicle.id));
      }
      const today = calendar.dayOf(nowMs);
      const rows = await db.asAccount(session.accountId, trx =>
        trx
          .selectFrom('vehicle_day')
          .select('vehicle_id')
          .distinct()
          .where(sql<boolean>`vehicle_id = any (${vehicles.map(({ id }) => id)})`)
          .where('day', '>=', calendar.dateOf(from))
          .where('day', '<=', calendar.dateOf(Math.min(to, today - 1)))
          .where('fixes', '>', 0)
          .execute(),
      );
      const known = new Set(rows.map(({ vehicle_id }) => vehicle_id));
      if (today < from || today > to) return known;
      for (const { id } of vehicles) if ((figures.today(id, nowMs)?.fixes ?? 0) > 0) known.add(id);
      return known;
    },
    placeOf: place => {
      if (place === null) return null;
      const named = reportContext.placeOf(place.lat, place.lon);
      const near = nearOf(named);
      return { address: named?.address ?? null, ...(near && { near }) };
    },
    driversOf: (vehicle, { from, to }, cards) =>
      parts.driving.during(vehicle, from, to, cards).map(({ driver: { id, name }, source }) => ({
        ...{ id, name },
        ...(source === 'usual' && { isUsual: true }),
      })),
  };

  async function seenDays(asked: Asked, batch: readonly DirectoryEntry[]): Promise<VehicleDayTotals[]> {
    const { calendar, from, nowMs, seesPosition, session, to } = asked;
    const days: VehicleDayTotals[] = [];
    for (let day = from; day <= Math.min(to, calendar.dayOf(nowMs)); day++) {
      const stretch = { fromMs: calendar.startOf(day), toMs: calendar.startOf(day + 1), nowMs, calendar };
      const known = await db.asAccount(session.accountId, trx =>
        cardDay(trx, batch, stretch, (vehicle, rfid, atMs) => seesPosition?.(vehicle, rfid, atMs) ?? true),
      );
      for (const vehicle of batch) {
        const totals = known.get(vehicle.id);
        if (totals && totals.fixes > 0) days.push({ vehicle, day, totals });
      }
    }
    return days.toSorted((a, b) => batch.indexOf(a.vehicle) - batch.indexOf(b.vehicle) || a.day - b.day);
  }
}

const batchesOf = (vehicles: readonly DirectoryEntry[]): (readonly DirectoryEntry[])[] =>
  Array.from({ length: Math.ceil(vehicles.length / BATCH) }, (_, nth) =>
    vehicles.slice(nth * BATCH, (nth + 1) * BATCH),
  );

/** Each group gets its own share of what crosses midnight, so that its sums are those of its days. */
function joinWithinGroups({ calendar, bucketOf, groupBy }: Asked, parts: readonly LegPart[]): Leg[] {
  const legs = joinParts(parts);
  if (groupBy !== 'day' && groupBy !== 'week' && groupBy !== 'month') return legs;
  return legs.flatMap(leg => splitLeg(leg, ({ from }) => bucketOf(calendar.dayOf(from))));
}
