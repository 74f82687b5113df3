import { type RouteAnswer, SUGGESTED_DAYS, SUGGESTED_STOPS_MIN, type suggestGeofences } from '@milepost/contract';
import { clustersOf, compileFence, FenceIndex } from '@milepost/geo';
import { degrees } from '@milepost/units';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';
import { nearOf, type ReportContext } from '../../ingest/report.ts';
import { toFenceShape } from '../../watching/fence-shape.ts';
import { mapInTurns } from '../../workers/turns.ts';

const SUGGESTED_MAX = 20;
/** Shorter ones are traffic. */
const STOPPED_MS = 5 * 60_000;
const EDGE = { buffer: 0, minFixes: 1, minDuration: 0 };

interface Stop {
  readonly vehicle_id: number;
  readonly lat: number;
  readonly lon: number;
  readonly stopped_ms: number;
}

/** Where the viewer's vehicles stopped often, and no geofence is: clusters of the stops of its trips. */
export async function suggestPlaces(
  { db }: Pick<Context, 'db'>,
  { visibility }: Pick<Organisation, 'visibility'>,
  viewer: Session,
  placeOf: ReportContext['placeOf'],
): Promise<RouteAnswer<typeof suggestGeofences>> {
  const { accountId } = viewer;
  // Stops say where a vehicle was, no matter who drove it.
  const held = visibility.vehicles(viewer).filter(vehicle => visibility.holdsVehicle(viewer, vehicle));
  const [stops, geofences] = await db.asAccount(accountId, async trx => [
    await sql<Stop>`
      select vehicle_id, start_lat as lat, start_lon as lon, stopped_ms from trip_part
      where account_id = ${accountId} and vehicle_id = any (${held.map(({ id }) => id)}::int4[]) and kind = 'stop' and stopped_ms >= ${STOPPED_MS} and start_lat is not null
        and day > current_date - ${SUGGESTED_DAYS}::int`.execute(trx),
    await trx.selectFrom('geofence').select(['id', 'shape']).where('account_id', '=', accountId).execute(),
  ]);
  const known = new FenceIndex(
    await mapInTurns(geofences, ({ id, shape }) => ({ id, area: compileFence(toFenceShape(shape)), edge: EDGE })),
  );
  const places = await mapInTurns(stops.rows, row => ({ ...row, lat: degrees(row.lat), lon: degrees(row.lon) }));
  const inside = await mapInTurns(places, at => known.near(at).some(({ area }) => area.signedDistance(at) <= 0));
  const free = places.filter((_, nth) => !inside[nth]);
  return clustersOf(free, SUGGESTED_STOPS_MIN, SUGGESTED_MAX).map(({ center, items, radius }) => {
    const place = placeOf(center.lat, center.lon);
    return {
      center: [rounded(center.lon), rounded(center.lat)],
      radiusM: radius,
      stops: items.length,
      vehicles: new Set(items.map(({ vehicle_id }) => vehicle_id)).size,
      seconds: Math.round(items.reduce((sum, { stopped_ms }) => sum + stopped_ms, 0) / 1000),
      address: place?.address ?? null,
      near: nearOf(place),
    };
  });
}

/** A tenth of a meter. */
const rounded = (angle: number): number => Math.round(angle * 1e6) / 1e6;
