import type { GeofenceAlert } from '@milepost/contract';
import type { Crossing } from '@milepost/geo';
import { sql } from 'kysely';
import type { Databases } from '../../../db/database.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import { DELETED, deletionId } from '../../../realtime/sockets/deletion-alert.ts';
import { believedCard } from '../../../tracks/driver-card.ts';
import { cardsAt } from '../../../tracks/read.ts';
import type { FenceLabel } from './account-fences.ts';

/** What was known longer ago when it arrived is in the history, and announced to nobody. */
export const NEWS_MS = 10 * 60_000;
/** A watcher that was away longer begins anew. */
const MISSED_MS = 24 * 3_600_000;
const MISSED_MAX = 500;
/** What became known a little earlier may have been announced later. */
const OVERLAP_MS = 60_000;

export interface Crossed {
  readonly fenceId: number;
  readonly kind: 'enter' | 'exit';
  readonly entry: Pick<Crossing, 'at'>;
  readonly crossing: Pick<Crossing, 'at' | 'knownAt' | 'confidence' | 'lat' | 'lon'>;
}

/** Who drove, and where it was. */
export type CrossingScene = Pick<GeofenceAlert, 'driver'> & { readonly address: string | null };

/** As the geofence socket announces it [R7.37]. The id is the same however often it is announced. */
export function crossingAlert(
  vehicle: Pick<DirectoryEntry, 'id' | 'imei' | 'name'>,
  { color, isRestricted, kind: shape, name }: FenceLabel,
  { crossing, entry, fenceId, kind }: Crossed,
  { address, driver }: CrossingScene,
  receivedMs: number,
): GeofenceAlert {
  const isEntry = kind === 'enter';
  return {
    v: 1,
    id: `${crossing.knownAt}-${vehicle.id}-${fenceId}-${kind}`,
    type: kind,
    severity: isEntry && isRestricted ? 'warning' : 'info',
    fence: { id: String(fenceId), name, kind: shape, color },
    vehicle: { deviceId: String(vehicle.id), imei: vehicle.imei, deviceName: vehicle.name },
    driver,
    rule: null,
    state: isEntry ? 'opened' : 'closed',
    count: 1,
    at: new Date(crossing.at).toISOString(),
    receivedAt: new Date(receivedMs).toISOString(),
    late: receivedMs - crossing.knownAt > NEWS_MS,
    position: { lat: crossing.lat, lon: crossing.lon, accuracyM: null, speed: null, address },
    dwellSeconds: isEntry ? 0 : Math.round((crossing.at - entry.at) / 1000),
    distanceToEdgeM: null,
    confidence: crossing.confidence,
    message: `${vehicle.name} ${isEntry ? 'entered' : 'left'} ${name}`,
    ack: null,
    link: `/geo-fence?open=${fenceId}`,
  };
}

interface Row {
  readonly vehicle_id: number;
  readonly geofence_id: number;
  readonly kind: 'enter' | 'exit';
  readonly entered_at: Date;
  readonly at: Date;
  readonly known_at: Date;
  readonly confidence: number;
  readonly lat: number;
  readonly lon: number;
}

/**
 * When the alert with this id was news; null if nobody can have missed anything since: it is unknown, or too long ago.
 * Ids of deletions have the same form.
 */
function knownAt(id: string): number | null {
  const knownMs = Number(/^(\d{1,15})-\d+-\d+-(?:enter|exit|deleted)$/.exec(id)?.[1] ?? Number.NaN);
  return Number.isNaN(knownMs) || knownMs < Date.now() - MISSED_MS ? null : knownMs - OVERLAP_MS;
}

/** What these vehicles crossed after the alert with this id was announced, oldest first; an unknown id missed nothing. */
export async function crossedSince(
  db: Databases,
  accountId: number,
  vehicleIds: readonly number[],
  since: string,
): Promise<(Crossed & { readonly vehicleId: number; readonly card: string | null })[]> {
  const afterMs = knownAt(since);
  if (afterMs === null) return [];
  const after = new Date(afterMs);
  const ofThese = sql`account_id = ${accountId} and vehicle_id = any (${vehicleIds}::int4[])`;
  const [rows, cards] = await db.asAccount(accountId, async trx => {
    const { rows: found } = await sql<Row>`
      select * from (
        select vehicle_id, geofence_id, 'enter' as kind, in_at as entered_at, in_at as at, in_known_at as known_at,
          in_confidence as confidence, in_lat as lat, in_lon as lon
        from visit where ${ofThese} and in_known_at > ${after} and in_at > ${new Date(after.getTime() - MISSED_MS)}
        union all
        select vehicle_id, geofence_id, 'exit', in_at, out_at, out_known_at, out_confidence, out_lat, out_lon
        from visit where ${ofThese} and out_known_at > ${after}
      ) crossed order by known_at limit ${MISSED_MAX}`.execute(trx);
    const moments = found.map(({ known_at: at, vehicle_id: vehicleId }) => ({ vehicleId, at }));
    return [found, await cardsAt(trx, moments)];
  });
  return rows.map(({ at, entered_at, geofence_id, kind, known_at, vehicle_id, ...rest }, nth) => {
    const crossing = { ...rest, at: at.getTime(), knownAt: known_at.getTime() } as Crossed['crossing'];
    const entry = { at: entered_at.getTime() } as Crossed['entry'];
    // That of the fix that made it certain.
    const card = believedCard(cards[nth]);
    return { vehicleId: vehicle_id, fenceId: geofence_id, kind, entry, crossing, card };
  });
}

interface Deleted {
  readonly geofence_id: number;
  readonly name: string;
  readonly kind: string;
  readonly color: string;
  readonly deleted_at: Date;
}

/** Which of these geofences were deleted just now, as it is announced [R7.38]. */
export async function deletionAlerts(
  db: Databases,
  accountId: number,
  fenceIds: readonly number[],
): Promise<GeofenceAlert[]> {
  const rows = await db.asAccount(accountId, trx =>
    trx
      .selectFrom('geofence_deleted')
      .selectAll()
      .where(sql<boolean>`geofence_id = any (${fenceIds}::int4[]) and deleted_at > now() - interval '10 minutes'`)
      .orderBy('deleted_at')
      .execute(),
  );
  return rows.map(deletionAlert);
}

/** The geofences that were deleted after the alert with this id was announced. */
export async function deletedSince(db: Databases, accountId: number, since: string): Promise<GeofenceAlert[]> {
  const afterMs = knownAt(since);
  if (afterMs === null) return [];
  const rows = await db.asAccount(accountId, trx =>
    trx
      .selectFrom('geofence_deleted')
      .selectAll()
      .where('deleted_at', '>', new Date(afterMs))
      .orderBy('deleted_at')
      .limit(MISSED_MAX)
      .execute(),
  );
  return rows.map(deletionAlert);
}

function deletionAlert({ color, deleted_at, geofence_id, kind, name }: Deleted): GeofenceAlert {
  const at = deleted_at.toISOString();
  return {
    ...DELETED,
    id: deletionId(deleted_at.getTime(), 0, geofence_id),
    fence: { id: String(geofence_id), name, kind, color },
    vehicle: null,
    at,
    receivedAt: at,
    message: `${name} was deleted`,
  };
}
