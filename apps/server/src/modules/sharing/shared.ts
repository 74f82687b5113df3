import {
  type GeofenceColor,
  may,
  type Permission,
  type Role,
  type RouteAnswer,
  type readSharedTrail,
  SHARED_TRAIL_HOURS,
  type Shared,
  type SharedVehicle,
  type TaskEta,
  type VehicleType,
} from '@milepost/contract';
import { metresPerSecond, toKilometresPerHour } from '@milepost/units';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { Directory, DirectoryEntry } from '../../fleet/directory.ts';
import type { LiveStates } from '../../fleet/live.ts';
import type { Roster } from '../../fleet/roster.ts';
import type { Viewer, Visibility } from '../../fleet/visibility.ts';
import { nearOf } from '../../ingest/report.ts';
import { believedFixes } from '../../tracks/read.ts';
import { customPermissions } from '../accounts/load-session.ts';
import type { Places } from '../places/places.ts';
import type { Looks } from '../privacy/looks.ts';
import type { Shown } from '../privacy/looks-of-routes.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { readTenantRow, toBrand } from '../tenancy/tenant.ts';
import { hashToken } from './links.ts';
import { sharedTrail } from './trail.ts';

export interface SharedParts {
  readonly directory: Directory;
  readonly live: LiveStates;
  readonly visibility: Visibility;
  readonly places: Pick<Places, 'placeOf'>;
  readonly roster: Roster;
  readonly etaOf: (taskId: number) => TaskEta | null;
  readonly looks: Pick<Looks, 'record'>;
}

/** An open or planned link, with the current rights of the user who created it. */
export interface OpenLink {
  readonly id: number;
  readonly accountId: number;
  readonly name: string | null;
  readonly note: string | null;
  readonly showTrail: boolean;
  readonly showSpeed: boolean;
  readonly showGeofences: boolean;
  readonly taskId: number | null;
  readonly startsAt: Date;
  readonly expiresAt: Date;
  readonly maker: Viewer;
}

/** What a link shows to anyone with its token. */
export interface SharedLinks {
  /** Null for an unknown token, and also for a link that has ended or was revoked. */
  find(token: string): Promise<OpenLink | null>;
  read(link: OpenLink): Promise<Shared>;
  trail(link: OpenLink, key: string, since: Date | null): Promise<RouteAnswer<typeof readSharedTrail>>;
  countVisit(link: OpenLink): Promise<void>;
}

/** A geofence that a vehicle is inside, and since when. */
interface Around {
  readonly geofence: Shared['geofences'][number] & { readonly id: number };
  readonly visit: SharedVehicle['inside'][number];
}

const HOUR_MS = 3_600_000;
const NOBODY = '';

export function createSharedLinks(
  { db }: Context,
  { directory, live, visibility, places, roster, etaOf, looks }: SharedParts,
): SharedLinks {
  const { system } = db;

  /** Visitors have no name: the ledger of the drivers says which link it was, and who created it. */
  const note = ({ accountId, id, maker, name }: OpenLink, shown: Omit<Shown, 'kind'>): Promise<void> =>
    looks.record(
      { ...maker, userId: NOBODY },
      { accountId, userId: maker.userId, via: 'share', link: { id, name } },
      { kind: 'share', ...shown },
    );

  /** A link shows only vehicles that its creator can still see. */
  const inSight = async (trx: AccountTransaction, link: OpenLink) => {
    const rows = await trx
      .selectFrom('share_link_vehicle')
      .innerJoin('vehicle', 'vehicle.id', 'share_link_vehicle.vehicle_id')
      .select(['key', 'vehicle.id', 'type'])
      .where('link_id', '=', link.id)
      .orderBy(sql`lower(vehicle.name)`)
      .execute();
    return rows.flatMap(({ key, id, type }) => {
      const vehicle = directory.findById(id);
      return visibility.sees(link.maker, vehicle) ? [{ key, vehicle, type: type as VehicleType | null }] : [];
    });
  };

  const now = (
    link: OpenLink,
    vehicle: DirectoryEntry,
  ): Omit<SharedVehicle, 'key' | 'name' | 'type' | 'inside' | 'eta'> => {
    const state = live.of(vehicle.id);
    const place = state?.motion.place ?? null;
    const startMs = link.startsAt.getTime();
    const isWithin = (timeMs: number | null | undefined): boolean =>
      timeMs !== null && timeMs !== undefined && timeMs >= startMs && timeMs <= link.expiresAt.getTime();
    const rfid = state?.newest?.rfid ?? null;
    if (!state || !place || !isWithin(place.time) || !visibility.seesPosition(link.maker, vehicle, rfid, place.time)) {
      return { live: null, course: null, speed: null, address: null, near: null };
    }
    const { motionSince, ...shown } = live.latestOf(vehicle.id).live;
    const named = places.placeOf(place.lat, place.lon);
    const speed = isWithin(state.newest?.fixAt) ? (state.newest?.speed ?? 0) : null;
    return {
      // The visitor may not learn how long the vehicle stood before the link began.
      live: {
        ...shown,
        motionSince: motionSince && new Date(Math.max(startMs, Date.parse(motionSince))).toISOString(),
      },
      course: state.motion.course,
      speed:
        link.showSpeed && speed !== null ? Math.round(toKilometresPerHour(metresPerSecond(speed)) * 10) / 10 : null,
      address: named?.address ?? null,
      near: nearOf(named),
    };
  };

  /** The geofences that these vehicles are inside, if the link shows them; no time from before it. */
  const insideOf = async (trx: AccountTransaction, link: OpenLink, vehicles: readonly DirectoryEntry[]) => {
    const held = vehicles.filter(vehicle => visibility.holdsVehicle(link.maker, vehicle)).map(({ id }) => id);
    if (!link.showGeofences || held.length === 0) return new Map<number, readonly Around[]>();
    const rows = await trx
      .selectFrom('visit')
      .innerJoin('geofence', 'geofence.id', 'visit.geofence_id')
      .select(['visit.vehicle_id', 'geofence.id', 'name', 'color', 'is_restricted', 'shape', 'in_at', 'in_after'])
      .where(sql<boolean>`visit.vehicle_id = any (${held}::int4[])`)
      .where('out_at', 'is', null)
      .where('is_on', '=', true)
      .orderBy('in_at', 'desc')
      .orderBy('name')
      .execute();
    const byVehicle = Map.groupBy(rows, row => row.vehicle_id);
    return new Map(
      [...byVehicle].map(([id, of]) => [
        id,
        of.map(({ color, id, in_after, in_at, is_restricted, name, shape }) => ({
          geofence: { id, name, color: color as GeofenceColor, isRestricted: is_restricted, shape },
          visit: {
            name,
            since: new Date(Math.max(in_at.getTime(), link.startsAt.getTime())).toISOString(),
            isAtLeast: in_after === null || in_at < link.startsAt,
          },
        })),
      ]),
    );
  };

  /** When the link's vehicle is expected at its task; null once that is over, or its creator can't see it any more. */
  const etaFor = async (trx: AccountTransaction, link: OpenLink) => {
    if (link.taskId === null) return null;
    const task = await trx
      .selectFrom('task')
      .select(['vehicle_id', 'driver_id', 'stops', 'over_at'])
      .select(eb =>
        eb
          .selectFrom('task_step')
          .select(({ fn }) => fn.min('at').as('at'))
          .whereRef('task_step.task_id', '=', 'task.id')
          .where('task_step.state', 'in', ['arrived', 'working'])
          .as('arrived_at'),
      )
      .where('id', '=', link.taskId)
      .executeTakeFirst();
    const driver = task?.driver_id ? roster.driver(link.accountId, task.driver_id) : null;
    if (!task || task.over_at !== null || !driver || !visibility.seesDriver(link.maker, driver)) return null;
    const eta = task.arrived_at === null ? etaOf(link.taskId) : null;
    const arrivedMs = task.arrived_at && Math.max(task.arrived_at.getTime(), link.startsAt.getTime());
    return {
      vehicleId: task.vehicle_id,
      eta: {
        stop: task.stops[0]?.name ?? '',
        arriveAt: eta?.arriveAt ?? null,
        at: eta?.at ?? null,
        arrivedAt: arrivedMs === null ? null : new Date(arrivedMs).toISOString(),
      },
    };
  };

  return {
    find: async token => {
      const at = new Date();
      const row = await system
        .selectFrom('share_link')
        .innerJoin('app_user', 'app_user.id', 'share_link.created_by')
        .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
        .select(['share_link.id', 'share_link.account_id', 'share_link.name', 'note'])
        .select(['show_trail', 'show_speed', 'show_geofences', 'task_id'])
        .select([
          'starts_at',
          'share_link.expires_at',
          'share_link.created_by',
          'role',
          'scope_folders',
          'scope_departments',
        ])
        .select('custom_role.permissions as role_permissions')
        .where('token_hash', '=', hashToken(token))
        .where('revoked_at', 'is', null)
        .where('share_link.expires_at', '>', at)
        .where('app_user.active', '=', true)
        .where(({ eb, or }) => or([eb('app_user.expires_at', 'is', null), eb('app_user.expires_at', '>', at)]))
        .executeTakeFirst();
      if (!row) return null;
      const role = row.role as Role;
      const permissions: readonly Permission[] | null = row.role_permissions && customPermissions(row.role_permissions);
      const { scope_folders: folderIds, scope_departments: departmentIds } = row;
      const scope = folderIds && departmentIds && { folderIds, departmentIds };
      const rights = { role, permissions, scope, readOnly: false };
      if (!may(rights, 'shares.write')) return null;
      return {
        id: row.id,
        accountId: row.account_id,
        name: row.name,
        note: row.note,
        showTrail: row.show_trail,
        showSpeed: row.show_speed,
        showGeofences: row.show_geofences && may(rights, 'geofences.read'),
        taskId: may(rights, 'tasks.read') ? row.task_id : null,
        startsAt: row.starts_at,
        expiresAt: row.expires_at,
        maker: {
          accountId: row.account_id,
          userId: row.created_by,
          role,
          scope,
        },
      };
    },

    read: async link => {
      const onShow: DirectoryEntry[] = [];
      const around = new Map<number, Shared['geofences'][number]>();
      const shared = await db.asAccount(link.accountId, async trx => {
        const vehicles = await inSight(trx, link);
        const inside = await insideOf(
          trx,
          link,
          vehicles.map(({ vehicle }) => vehicle),
        );
        const expected = await etaFor(trx, link);
        const { offlineAfterMinutes, outdatedAfterMinutes } = (await readAccountSettings(trx)).settings;
        return {
          name: link.name,
          note: link.note,
          brand: toBrand(await readTenantRow(trx)),
          startsAt: link.startsAt.toISOString(),
          expiresAt: link.expiresAt.toISOString(),
          showTrail: link.showTrail,
          showSpeed: link.showSpeed,
          showGeofences: link.showGeofences,
          limits: { offlineAfterMinutes, outdatedAfterMinutes },
          vehicles: vehicles.map(({ key, vehicle, type }) => {
            const shown = now(link, vehicle);
            if (shown.live !== null) onShow.push(vehicle);
            const visits = shown.live === null ? [] : (inside.get(vehicle.id) ?? []);
            for (const { geofence } of visits) {
              const { id, ...shape } = geofence;
              around.set(id, shape);
            }
            // Nothing of a vehicle that the link does not show now: its arrival would say where it is.
            const eta = shown.live !== null && expected?.vehicleId === vehicle.id ? expected.eta : null;
            return { key, name: vehicle.name, type, ...shown, inside: visits.map(({ visit }) => visit), eta };
          }),
          geofences: [...around.values()],
        };
      });
      await note(link, { now: onShow });
      return shared;
    },

    trail: async (link, key, since) => {
      const { fixes, vehicle } = await db.asAccount(link.accountId, async trx => {
        const found = (await inSight(trx, link)).find(shared => shared.key === key);
        if (!found || !link.showTrail) throw new AppError('not-found');
        const earliest = Math.max(link.startsAt.getTime(), Date.now() - SHARED_TRAIL_HOURS * HOUR_MS);
        const after = new Date(Math.max(earliest - 1, since?.getTime() ?? 0));
        const all = await believedFixes(trx, found.vehicle.id, { after, to: link.expiresAt });
        const seen = all.filter(({ fix_at, rfid }) =>
          visibility.seesPosition(link.maker, found.vehicle, rfid, fix_at.getTime()),
        );
        return { fixes: seen, vehicle: found.vehicle };
      });
      const [first, last] = [fixes[0], fixes.at(-1)];
      if (first && last) {
        const period = { fromMs: first.fix_at.getTime(), toMs: last.fix_at.getTime() };
        await note(link, { seen: [{ vehicle, period }] });
      }
      return { points: sharedTrail(fixes) };
    },

    countVisit: async link => {
      await system
        .updateTable('share_link')
        .set({ views: sql`views + 1`, last_viewed_at: new Date() })
        .where('id', '=', link.id)
        .execute();
    },
  };
}
