import type { GeofenceAlert } from '@milepost/contract';
import type { Crossing, FenceEvent, FollowerState } from '@milepost/geo';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import type { RosterDriver } from '../../../fleet/roster.ts';
import type { ReportContext } from '../../../ingest/report.ts';
import type { Projection } from '../../../projections/projection.ts';
import { type FenceBook, openFenceBook } from './account-fences.ts';
import type { Box } from './box.ts';
import type { Correction, Visit } from './changes.ts';
import { type Crossed, type CrossingScene, crossedSince, crossingAlert, deletedSince, NEWS_MS } from './crossings.ts';
import { fromDate, toDate } from './day-number.ts';
import type { FollowedDay } from './followed-day.ts';
import { closeRestricted, type Intrusion, openRestricted } from './restricted.ts';
import { VehicleVisits } from './vehicle-visits.ts';

export type VisitProjection = Projection<VehicleVisits>;

export interface Visits {
  readonly projection: VisitProjection;
  readonly book: FenceBook;
  /** What these vehicles crossed, and which geofences were deleted, after an announced alert; oldest first. */
  alertsSince(accountId: number, vehicles: readonly DirectoryEntry[], since: string): Promise<GeofenceAlert[]>;
}

export type VisitsNeed = Pick<Organisation, 'builtIns' | 'directory' | 'driving' | 'roster'> &
  Pick<ReportContext, 'placeOf'>;

const AT_ONCE_MS = 50;

/** Visits of vehicles to geofences, as a projection. */
export async function openVisits(
  context: Pick<Context, 'db' | 'feed' | 'signals'>,
  { builtIns, directory, driving, placeOf, roster }: VisitsNeed,
  atOnceMs = AT_ONCE_MS,
): Promise<Visits> {
  const { db, signals } = context;
  /** Crossings that are written, but not committed yet. */
  const crossed = new WeakMap<VehicleVisits, readonly FenceEvent[]>();
  /** Alerts of restricted geofences that are written, but not committed yet, by one of the vehicles of their write. */
  const alerted = new WeakMap<VehicleVisits, readonly string[]>();
  const book = await openFenceBook(context, roster);
  const partsOf = (id: number, accountId: number) => ({
    vehicle: { id, accountId },
    book,
    atOnceMs,
    entry: () => directory.findById(id),
    readDays: async (fromDay: number) => {
      const rows = await db.system
        .selectFrom('visit_day')
        .select(['day', 'state', 'box'])
        .where('vehicle_id', '=', id)
        .where('day', '>=', toDate(fromDay))
        .execute();
      return new Map(rows.map(({ day, ...row }): [number, FollowedDay] => [fromDate(day), toDay(row)]));
    },
  });

  const sceneOf = ({ crossing }: Crossed, driver: RosterDriver | null | undefined): CrossingScene => ({
    driver: driver ? { id: String(driver.id), name: driver.name } : null,
    address: placeOf(crossing.lat, crossing.lon)?.address ?? null,
  });
  const intrusionsOf = ({ accountId, crossed: events, id: vehicleId }: Changes): Intrusion[] => {
    const entered = events.filter(({ entry, fenceId, kind }) => {
      const isKnown = kind !== 'exit' && entry.after !== null;
      return isKnown && book.of(accountId).label(fenceId)?.isRestricted === true;
    });
    if (entered.length === 0) return [];
    const vehicle = directory.findById(vehicleId);
    const driverId = (vehicle && driving.of(vehicle)?.driver.id) ?? null;
    return entered.flatMap(event => {
      const about = { accountId, vehicleId, kind: 'restricted', at: event.entry.at, driverId } as const;
      const severity = builtIns.severityOf(about, 'warning');
      return severity === null ? [] : { accountId, vehicleId, driverId, event, severity };
    });
  };

  const projection: VisitProjection = {
    name: 'visits',
    load: async (trx, vehicles) => {
      const ids = vehicles.map(({ id }) => id);
      const rows = await trx
        .selectFrom('visit_fold')
        .leftJoin('visit_day', join =>
          join
            .onRef('visit_day.vehicle_id', '=', 'visit_fold.vehicle_id')
            .on(
              'visit_day.day',
              '=',
              sql<string>`(to_timestamp((visit_fold.state #>> '{last,time}')::float8 / 1000) at time zone 'UTC')::date`,
            ),
        )
        .selectAll('visit_fold')
        .select(['visit_day.state as day_state', 'box'])
        .where(sql<boolean>`visit_fold.vehicle_id = any (${ids}::int4[])`)
        .execute();
      const stored = new Map(rows.map(row => [row.vehicle_id, row]));
      return new Map(
        vehicles.flatMap(({ id, accountId, nowMs, newestMs }): [number, VehicleVisits][] => {
          const row = stored.get(id);
          const parts = partsOf(id, accountId);
          if (!row) return newestMs === null ? [] : [[id, VehicleVisits.begin(parts, nowMs, newestMs)]];
          const kept = {
            sinceDay: fromDate(row.since_day),
            throughMs: row.through_at.getTime(),
            version: Number(row.version),
            assigned: row.assigned,
            state: row.state,
            late: row.late,
            added: row.added,
          };
          const today = row.day_state && toDay({ state: row.day_state, box: row.box });
          return [[id, new VehicleVisits(parts, kept, today)]];
        }),
      );
    },
    write: async (trx, folds, nowMs) => {
      const changes = folds.map(fold => {
        const changed = fold.takeChanged();
        crossed.set(fold, changed.crossed);
        return { ...fold.vehicle, ...changed };
      });
      if (changes.length === 0) return;
      await writeFolds(trx, changes);
      await writeDays(trx, changes);
      // Before any visit is touched, in the order in which deleting a geofence locks.
      const fenceIds = changes.flatMap(({ visits }) => visits.map(({ geofenceId }) => geofenceId));
      await sql`select from geofence where id = any (${fenceIds}::int4[]) order by id for key share`.execute(trx);
      const changed = new Map<number, number[]>();
      for (const { id, accountId, corrections, visits } of changes) {
        for (const each of corrections) await correct(trx, id, each);
        if (corrections.length + visits.length === 0) continue;
        changed.set(accountId, [...(changed.get(accountId) ?? []), id]);
      }
      await writeVisits(trx, changes);
      const ids = [
        ...(await openRestricted(trx, changes.flatMap(intrusionsOf), nowMs)),
        ...(await closeRestricted(
          trx,
          changes.flatMap(({ corrections, id, visits }) => (corrections.length + visits.length > 0 ? [id] : [])),
          nowMs,
        )),
      ];
      if (folds[0] && ids.length > 0) alerted.set(folds[0], ids);
      for (const [accountId, vehicleIds] of changed) await announce(trx, accountId, vehicleIds);
    },
    written: folds => {
      const nowMs = Date.now();
      const ids = folds.flatMap(fold => alerted.get(fold) ?? []);
      if (ids.length > 0) signals.emit('alerts-written', { ids });
      for (const fold of folds) {
        const events = crossed.get(fold) ?? [];
        crossed.delete(fold);
        alerted.delete(fold);
        const { accountId, id: vehicleId } = fold.vehicle;
        const vehicle = directory.findById(vehicleId);
        for (const each of vehicle ? events.flatMap(crossingsOf) : []) {
          const label = book.of(accountId).label(each.fenceId);
          if (!vehicle || !label || nowMs - each.crossing.knownAt > NEWS_MS) continue;
          const scene = sceneOf(each, driving.of(vehicle)?.driver);
          const alert = crossingAlert(vehicle, label, each, scene, nowMs);
          signals.emit('geofence-alert', { accountId, vehicleId, alert });
        }
      }
    },
  };
  return {
    projection,
    book,
    alertsSince: async (accountId, vehicles, since) => {
      const ofId = new Map(vehicles.map(vehicle => [vehicle.id, vehicle]));
      const fences = book.of(accountId);
      const crossings = (await crossedSince(db, accountId, [...ofId.keys()], since)).flatMap(each => {
        const [vehicle, label] = [ofId.get(each.vehicleId), fences.label(each.fenceId)];
        if (!vehicle || !label) return [];
        // Who drives it now need not be who drove it then.
        const { card, ...crossing } = each;
        const then = driving.at(vehicle, crossing.crossing.at, card);
        return crossingAlert(vehicle, label, crossing, sceneOf(crossing, then?.driver), Date.now());
      });
      const all = [...crossings, ...(await deletedSince(db, accountId, since))];
      return all.filter(({ id }) => id !== since).toSorted((a, b) => newsAt(a) - newsAt(b));
    },
  };
}

/** An id begins with it. */
const newsAt = ({ id }: GeofenceAlert): number => Number.parseInt(id, 10);

/** The way in of a vehicle that was inside from the first that is known of it is none. */
const crossingsOf = ({ entry, exit, fenceId, kind }: FenceEvent): Crossed[] => [
  ...(kind !== 'exit' && entry.after !== null ? [{ fenceId, kind: 'enter' as const, entry, crossing: entry }] : []),
  ...(exit ? [{ fenceId, kind: 'exit' as const, entry, crossing: exit }] : []),
];

type Changes = { readonly id: number; readonly accountId: number } & ReturnType<VehicleVisits['takeChanged']>;

/** More vehicles at once are not named: pages that show visits read all of them again. */
const NAMED_MAX = 20;

/** Tells pages whose visits are others now. */
async function announce(trx: AccountTransaction, accountId: number, vehicleIds: readonly number[]): Promise<void> {
  const named = vehicleIds.length > NAMED_MAX ? [null] : vehicleIds;
  await sql`
    insert into change (account_id, kind, thing, how, vehicle_id)
    select ${accountId}::int4, 'visit', coalesce(id::text, ''), 'changed', id from unnest(${named}::int4[]) id`.execute(
    trx,
  );
}

async function writeFolds(trx: AccountTransaction, changes: readonly Changes[]): Promise<void> {
  const rows = changes.map(({ id, accountId, kept }) => ({
    account_id: accountId,
    vehicle_id: id,
    since_day: toDate(kept.sinceDay),
    through_at: iso(kept.throughMs),
    version: kept.version,
    assigned: kept.assigned,
    state: kept.state,
    late: kept.late,
    added: kept.added,
  }));
  await sql`
    insert into visit_fold select * from json_populate_recordset(null::visit_fold, ${JSON.stringify(rows)}::json)
    on conflict (vehicle_id) do update set
      since_day = excluded.since_day, through_at = excluded.through_at, version = excluded.version,
      assigned = excluded.assigned, state = excluded.state, late = excluded.late, added = excluded.added`.execute(trx);
}

async function writeDays(trx: AccountTransaction, changes: readonly Changes[]): Promise<void> {
  const rows = changes.flatMap(({ id, accountId, days }) =>
    [...days].map(([day, { box, state }]) => ({
      account_id: accountId,
      vehicle_id: id,
      day: toDate(day),
      state,
      box,
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into visit_day as known select * from json_populate_recordset(null::visit_day, ${JSON.stringify(rows)}::json)
    on conflict (vehicle_id, day) do update set state = excluded.state, box = excluded.box
    where (known.state, known.box) is distinct from (excluded.state, excluded.box)`.execute(trx);
  await sql`
    delete from visit_day using visit_fold
    where visit_day.vehicle_id = any (${changes.map(({ id }) => id)}::int4[])
      and visit_fold.vehicle_id = visit_day.vehicle_id and visit_day.day < visit_fold.since_day`.execute(trx);
}

async function correct(trx: AccountTransaction, vehicleId: number, correction: Correction): Promise<void> {
  const { except, kept, only } = correction;
  const concerned =
    only === null ? sql`geofence_id <> all (${except}::int4[])` : sql`geofence_id = any (${only}::int4[])`;
  const isKept = sql`(geofence_id, in_known_at) in (select * from unnest(
    ${kept.map(({ geofenceId }) => geofenceId)}::int4[],
    ${kept.map(({ knownMs }) => new Date(knownMs))}::timestamptz[]))`;
  if (correction.what === 'inside') {
    await sql`
      delete from visit
      where vehicle_id = ${vehicleId} and out_at is null and ${concerned} and not ${isKept}`.execute(trx);
    return;
  }
  const [from, to] = [new Date(correction.fromMs), new Date(correction.toMs)];
  await sql`
    delete from visit
    where vehicle_id = ${vehicleId} and in_known_at >= ${from} and in_known_at < ${to} and ${concerned}
      and not ${isKept}`.execute(trx);
  await sql`
    update visit set out_at = null, out_after = null, out_before = null, out_known_at = null, out_confidence = null,
      out_lat = null, out_lon = null
    where vehicle_id = ${vehicleId} and out_known_at >= ${from} and out_known_at < ${to} and ${concerned}`.execute(trx);
}

/** Those of geofences that were deleted meanwhile are left out. */
async function writeVisits(trx: AccountTransaction, changes: readonly Changes[]): Promise<void> {
  const rows = changes.flatMap(({ id, accountId, visits }) => visits.map(visit => toRow(id, accountId, visit)));
  if (rows.length === 0) return;
  await sql`
    insert into visit
    select given.* from json_populate_recordset(null::visit, ${JSON.stringify(rows)}::json) given
    join geofence on geofence.account_id = given.account_id and geofence.id = given.geofence_id
    for key share of geofence
    on conflict (vehicle_id, geofence_id, in_known_at) do update set
      in_at = excluded.in_at, in_after = excluded.in_after, in_before = excluded.in_before,
      in_confidence = excluded.in_confidence, in_lat = excluded.in_lat, in_lon = excluded.in_lon,
      out_at = coalesce(excluded.out_at, visit.out_at),
      out_after = case when excluded.out_at is null then visit.out_after else excluded.out_after end,
      out_before = coalesce(excluded.out_before, visit.out_before),
      out_known_at = coalesce(excluded.out_known_at, visit.out_known_at),
      out_confidence = coalesce(excluded.out_confidence, visit.out_confidence),
      out_lat = coalesce(excluded.out_lat, visit.out_lat), out_lon = coalesce(excluded.out_lon, visit.out_lon),
      is_pass = excluded.is_pass`.execute(trx);
}

const toRow = (id: number, accountId: number, { entry, exit, geofenceId, isPass }: Visit) => ({
  account_id: accountId,
  vehicle_id: id,
  geofence_id: geofenceId,
  ...columnsOf('in', entry),
  ...columnsOf('out', exit),
  is_pass: isPass,
});

const columnsOf = (side: 'in' | 'out', crossing: Crossing | null) => ({
  [`${side}_at`]: crossing && iso(crossing.at),
  [`${side}_after`]: crossing && crossing.after !== null ? iso(crossing.after) : null,
  [`${side}_before`]: crossing && iso(crossing.before),
  [`${side}_known_at`]: crossing && iso(crossing.knownAt),
  [`${side}_confidence`]: crossing?.confidence ?? null,
  [`${side}_lat`]: crossing?.lat ?? null,
  [`${side}_lon`]: crossing?.lon ?? null,
});

const toDay = ({ box, state }: { readonly box: number[] | null; readonly state: FollowerState }): FollowedDay => ({
  state,
  box: box as unknown as Box | null,
});

const iso = (ms: number): string => new Date(ms).toISOString();
