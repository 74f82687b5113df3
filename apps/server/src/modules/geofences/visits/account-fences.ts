import { createHash } from 'node:crypto';
import { compileFence, type Fence, FenceIndex } from '@milepost/geo';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { DirectoryEntry } from '../../../fleet/directory.ts';
import type { Roster } from '../../../fleet/roster.ts';
import { toFenceShape } from '../../../watching/fence-shape.ts';
import { mapInTurns } from '../../../workers/turns.ts';
import { dayNumber, fromDate, toDate } from './day-number.ts';

/** Visits to a new geofence are counted from so long ago. */
export const COUNTED_BACK_DAYS = 30;

/** An account's geofences as visits are counted with: those of one moment, replaced as a whole. */
export interface AccountFences {
  /** Those that are on. */
  readonly index: FenceIndex;
  /** The newest of all their versions. */
  readonly version: number;
  /** Those, on or off, with a newer version. */
  changedAfter(version: number): ReadonlySet<number>;
  /** The day (UTC) from which visits to it are counted. */
  sinceDay(id: number): number;
  isForAll(id: number): boolean;
  /** Null if it is off or deleted. */
  label(id: number): FenceLabel | null;
  /** Those that are on and are for this vehicle and others, but not for all. */
  assignedTo(vehicle: Pick<DirectoryEntry, 'id' | 'accountId' | 'folderId'>): number[];
}

/** How a geofence is named and shown. */
export interface FenceLabel {
  readonly name: string;
  readonly kind: string;
  readonly color: string;
  readonly isRestricted: boolean;
}

export interface FenceBook {
  of(accountId: number): AccountFences;
  /** Changes whenever the account's geofences, folders or vehicles do, so that nobody looks in vain. */
  generation(accountId: number): number;
  /** Reads the geofences of accounts in which one has changed, and gives those new versions. */
  refresh(accountId: number | null): Promise<void>;
}

interface Known {
  readonly settings: string;
  readonly label: FenceLabel;
  readonly fence: Fence;
  readonly isOn: boolean;
  readonly isForAll: boolean;
  readonly version: number;
  readonly sinceDay: number;
  readonly vehicleIds: ReadonlySet<number>;
  readonly folderIds: ReadonlySet<number>;
}

const KINDS: ReadonlySet<string> = new Set(['geofence', 'folder', 'vehicle']);

export async function openFenceBook(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  roster: Pick<Roster, 'isInside'>,
): Promise<FenceBook> {
  const accounts = new Map<number, { readonly fences: AccountFences; readonly known: ReadonlyMap<number, Known> }>();
  const generations = new Map<number, number>();
  const stale = new Set<number>();
  const nothing = fencesOf(new Map(), roster);

  feed.follow('after', changes => {
    for (const { accountId, kind } of changes) {
      if (!KINDS.has(kind)) continue;
      generations.set(accountId, (generations.get(accountId) ?? 0) + 1);
      if (kind === 'geofence') stale.add(accountId);
    }
  });
  await feed.open();
  for (const { account_id } of await db.system.selectFrom('geofence').select('account_id').distinct().execute()) {
    stale.add(account_id);
  }

  const read = async (accountId: number): Promise<void> => {
    stale.delete(accountId);
    try {
      const known = await readFences(db, accountId, accounts.get(accountId)?.known ?? new Map());
      accounts.set(accountId, { fences: fencesOf(known, roster), known });
    } catch (error) {
      stale.add(accountId);
      throw error;
    }
  };

  return {
    of: accountId => accounts.get(accountId)?.fences ?? nothing,
    generation: accountId => generations.get(accountId) ?? 0,
    refresh: async accountId => {
      for (const id of [...stale]) if (accountId === null || id === accountId) await read(id);
    },
  };
}

function fencesOf(known: ReadonlyMap<number, Known>, roster: Pick<Roster, 'isInside'>): AccountFences {
  const on = [...known].filter(([, { isOn }]) => isOn);
  const assigned = on.filter(([, { isForAll }]) => !isForAll);
  // All vehicles of an account ask for the same version.
  let asked: { readonly after: number; readonly ids: ReadonlySet<number> } | null = null;
  return {
    index: new FenceIndex(on.map(([, { fence }]) => fence)),
    version: Math.max(0, ...[...known.values()].map(({ version }) => version)),
    changedAfter: after => {
      if (asked?.after !== after) {
        asked = { after, ids: new Set([...known].flatMap(([id, { version }]) => (version > after ? [id] : []))) };
      }
      return asked.ids;
    },
    sinceDay: id => known.get(id)?.sinceDay ?? Number.POSITIVE_INFINITY,
    isForAll: id => known.get(id)?.isForAll ?? false,
    label: id => {
      const fence = known.get(id);
      return fence?.isOn ? fence.label : null;
    },
    assignedTo: ({ id: vehicleId, accountId, folderId }) =>
      assigned.flatMap(([id, { vehicleIds, folderIds }]) =>
        vehicleIds.has(vehicleId) || roster.isInside('folder', accountId, folderId, folderIds) ? [id] : [],
      ),
  };
}

async function readFences(
  db: Context['db'],
  accountId: number,
  before: ReadonlyMap<number, Known>,
): Promise<Map<number, Known>> {
  const { rows, assigned } = await db.system.transaction().execute(async trx => {
    // Versions are given one after the other, so that nobody who has seen one misses a lower one.
    await sql`select pg_advisory_xact_lock(hashtext('geofence versions'), ${accountId})`.execute(trx);
    const found = await trx
      .selectFrom('geofence')
      .leftJoin('geofence_version', 'geofence_version.geofence_id', 'geofence.id')
      .select([
        'id',
        'name',
        'color',
        'is_restricted',
        'shape',
        'buffer_m',
        'min_fixes',
        'min_seconds',
        'is_on',
        'is_for_all',
      ])
      .select(['settings', 'version', 'since_day'])
      .where('geofence.account_id', '=', accountId)
      .execute();
    const settled = await mapInTurns(found, row => ({ ...row, now: digestOf(row) }));
    const changed = settled.filter(({ settings, now }) => settings !== now);
    const since = toDate(dayNumber(Date.now()) - COUNTED_BACK_DAYS);
    const given = new Map<number, { readonly version: string; readonly since_day: string }>();
    if (changed.length > 0) {
      const { rows: made } = await sql<{ geofence_id: number; version: string; since_day: string }>`
        insert into geofence_version as known (geofence_id, account_id, settings, since_day)
        select *, ${since}::date from (
          select unnest(${changed.map(({ id }) => id)}::int4[]), ${accountId}::int4,
            unnest(${changed.map(({ now }) => now)}::text[])
        ) as given (geofence_id, account_id, settings)
        on conflict (geofence_id) do update
        set settings = excluded.settings, version = excluded.version, since_day = excluded.since_day
        returning geofence_id, version, since_day`.execute(trx);
      for (const row of made) given.set(row.geofence_id, row);
    }
    const vehicles = await trx.selectFrom('geofence_vehicle').selectAll().where('account_id', '=', accountId).execute();
    return {
      rows: settled.flatMap(row => {
        const { version, since_day } = given.get(row.id) ?? row;
        return version === null || since_day === null ? [] : { ...row, version, since_day };
      }),
      assigned: Map.groupBy(vehicles, row => row.geofence_id),
    };
  });
  const known = await mapInTurns(rows, (row): [number, Known] => {
    const of = assigned.get(row.id) ?? [];
    const same = before.get(row.id);
    const edge = { buffer: row.buffer_m, minFixes: row.min_fixes, minDuration: row.min_seconds * 1000 };
    return [
      row.id,
      {
        settings: row.now,
        label: { name: row.name, kind: row.shape.kind, color: row.color, isRestricted: row.is_restricted },
        fence:
          same?.settings === row.now ? same.fence : { id: row.id, area: compileFence(toFenceShape(row.shape)), edge },
        isOn: row.is_on,
        isForAll: row.is_for_all,
        version: Number(row.version),
        sinceDay: fromDate(row.since_day),
        vehicleIds: new Set(of.flatMap(({ vehicle_id }) => vehicle_id ?? [])),
        folderIds: new Set(of.flatMap(({ folder_id }) => folder_id ?? [])),
      },
    ];
  });
  return new Map(known);
}

type Settings = readonly ['shape', 'buffer_m', 'min_fixes', 'min_seconds', 'is_on', 'is_for_all'];

/** Of all that decides about visits, but for which vehicles it is for. */
const digestOf = (row: { readonly [K in Settings[number]]: unknown }): string =>
  createHash('sha256')
    .update(JSON.stringify([row.shape, row.buffer_m, row.min_fixes, row.min_seconds, row.is_on, row.is_for_all]))
    .digest('hex');
