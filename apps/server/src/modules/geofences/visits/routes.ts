import { listInside, listVisits, type Visit } from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import { AppError } from '../../../app-error.ts';
import type { Context } from '../../../context.ts';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Database } from '../../../db/schema.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import type { Viewer, Visibility } from '../../../fleet/visibility.ts';
import type { Http } from '../../../http/server.ts';
import type { ProjectionRunner } from '../../../projections/runner.ts';
import type { Visits } from './visits.ts';

export interface VisitRouteParts {
  readonly visibility: Visibility;
  readonly figures: { readonly manager: ProjectionRunner };
  readonly visits: Visits;
}

/** Longer than counting new positions takes. */
const CATCH_UP_TIMEOUT_MS = 400;
/** What was reported just now is followed within seconds. */
const BEHIND_MS = 60_000;

export function registerVisits(http: Http, { db }: Context, { figures, visibility, visits }: VisitRouteParts): void {
  /**
   * Visits say where a vehicle was, no matter who drove it, so users who see the vehicle only while a driver has it don't
   * see them.
   */
  const held = (viewer: Viewer): DirectoryEntry[] =>
    visibility.vehicles(viewer).filter(vehicle => visibility.holdsVehicle(viewer, vehicle));

  /** How many of these are behind, or have late reports that may still correct a visit. */
  const countingOf = async (trx: AccountTransaction, vehicles: readonly DirectoryEntry[]) => {
    const { manager } = figures;
    const beforeMs = Date.now() - BEHIND_MS;
    const late = await sql<{ vehicle_id: number }>`
      select distinct vehicle_id from vehicle_day_stale join visit_fold using (vehicle_id)
      where vehicle_id = any (${vehicles.map(({ id }) => id)}::int4[]) and day >= since_day`.execute(trx);
    const isLate = new Set(late.rows.map(row => row.vehicle_id));
    const isCounting = ({ id }: DirectoryEntry): boolean => {
      const fold = manager.fold(visits.projection, id);
      return isLate.has(id) || manager.isBehindBefore(id, beforeMs) || fold?.hasPast === true || fold?.isDue() === true;
    };
    return { counting: vehicles.filter(isCounting).length, vehicles: vehicles.length };
  };

  http.handle(listVisits, async ({ session, query }) => {
    const { after, deviceId, from, geofenceId, limit, to } = query;
    const { accountId } = session;
    const vehicles =
      deviceId === undefined
        ? held(session)
        : [visibility.vehicle(session, Number(deviceId))].filter(vehicle => visibility.holdsVehicle(session, vehicle));
    const ids = vehicles.map(({ id }) => id);
    await figures.manager.catchUp(accountId, ids, CATCH_UP_TIMEOUT_MS);
    const [rows, counting] = await db.asAccount(accountId, async trx => {
      if (geofenceId !== undefined) {
        const known = await trx.selectFrom('geofence').select('id').where('id', '=', Number(geofenceId)).execute();
        if (known.length === 0) throw new AppError('not-found');
      }
      const [inMs = '', vehicleId = '', ofGeofence = '', knownMs = ''] = after?.split('-') ?? [];
      const found = await trx
        .selectFrom('visit')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('in_at', '<', new Date(to))
        .where(sql<boolean>`(out_at is null or out_at > ${new Date(from)})`)
        .$if(geofenceId !== undefined, rest => rest.where('geofence_id', '=', Number(geofenceId)))
        .$if(deviceId !== undefined || !visibility.seesAll(session), rest =>
          rest.where(sql<boolean>`vehicle_id = any (${ids}::int4[])`),
        )
        .$if(after !== undefined, rest =>
          rest.where(
            sql<boolean>`(in_at, vehicle_id, geofence_id, in_known_at) < (${new Date(Number(inMs))}::timestamptz,
              ${Number(vehicleId)}::int4, ${Number(ofGeofence)}::int4, ${new Date(Number(knownMs))}::timestamptz)`,
          ),
        )
        .orderBy('in_at', 'desc')
        .orderBy('vehicle_id', 'desc')
        .orderBy('geofence_id', 'desc')
        .orderBy('in_known_at', 'desc')
        .limit(limit + 1)
        .execute();
      return [found, await countingOf(trx, vehicles)];
    });
    return { visits: rows.slice(0, limit).map(toVisit), hasMore: rows.length > limit, ...counting };
  });

  http.handle(listInside, async ({ session, query }) => {
    const vehicles = held(session);
    const asked = query.vehicles === undefined ? null : new Set(query.vehicles.split(',').map(Number));
    const ids = vehicles.map(({ id }) => id);
    const askedIds = ids.filter(id => asked?.has(id) ?? true);
    const isAsked = sql<boolean>`vehicle_id = any (${askedIds}::int4[])`;
    const isHeld = sql<boolean>`vehicle_id = any (${ids}::int4[])`;
    const [rows, last, counting] = await db.asAccount(session.accountId, async trx => [
      await trx
        .selectFrom('visit')
        .select(['vehicle_id', 'geofence_id', 'in_at', 'in_after', 'in_confidence'])
        .where('account_id', '=', session.accountId)
        .where('out_at', 'is', null)
        .where(isAsked)
        .orderBy('in_at')
        .orderBy('vehicle_id')
        .orderBy('geofence_id')
        .execute(),
      await sql<{ geofence_id: number; vehicle_id: number; at: Date; kind: 'enter' | 'exit' }>`
        select geofence.id as geofence_id, crossing.* from geofence cross join lateral (
          (select vehicle_id, in_at as at, 'enter' as kind from visit
            where visit.account_id = geofence.account_id and geofence_id = geofence.id and ${isHeld}
              and in_after is not null
            order by in_at desc limit 1)
          union all
          (select vehicle_id, out_at, 'exit' from visit
            where visit.account_id = geofence.account_id and geofence_id = geofence.id and ${isHeld}
              and out_at is not null
            order by out_at desc limit 1)
          order by at desc limit 1
        ) crossing
        where geofence.account_id = ${session.accountId} and (${asked === null}::bool or exists (
          select from visit where visit.account_id = geofence.account_id and geofence_id = geofence.id and ${isAsked}
        )) order by geofence.id`.execute(trx),
      await countingOf(trx, vehicles),
    ]);
    return {
      inside: rows.map(row => ({
        geofenceId: String(row.geofence_id),
        deviceId: String(row.vehicle_id),
        since: row.in_at.toISOString(),
        isAtLeast: row.in_after === null,
        confidence: row.in_confidence,
      })),
      last: last.rows.map(({ at, geofence_id, kind, vehicle_id }) => ({
        geofenceId: String(geofence_id),
        deviceId: String(vehicle_id),
        at: at.toISOString(),
        kind,
      })),
      ...counting,
    };
  });
}

function toVisit(row: Selectable<Database['visit']>): Visit {
  const { geofence_id, in_at, in_known_at, out_at, out_before, out_confidence, out_lat, out_lon, vehicle_id } = row;
  const isOver = out_at !== null && out_before !== null && out_confidence !== null;
  return {
    id: `${in_at.getTime()}-${vehicle_id}-${geofence_id}-${in_known_at.getTime()}`,
    geofenceId: String(geofence_id),
    deviceId: String(vehicle_id),
    entry: {
      at: in_at.toISOString(),
      after: row.in_after?.toISOString() ?? null,
      before: row.in_before.toISOString(),
      confidence: row.in_confidence,
      lat: row.in_lat,
      lon: row.in_lon,
    },
    exit:
      isOver && out_lat !== null && out_lon !== null
        ? {
            at: out_at.toISOString(),
            after: row.out_after?.toISOString() ?? null,
            before: out_before.toISOString(),
            confidence: out_confidence,
            lat: out_lat,
            lon: out_lon,
          }
        : null,
    isPass: row.is_pass,
  };
}
