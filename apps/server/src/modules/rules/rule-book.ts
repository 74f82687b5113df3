import { DATED_TRIGGERS } from '@milepost/contract';
import type { WatchedRule } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Roster } from '../../fleet/roster.ts';
import { accountCalendar, isOfVehicle, othersOf, type VehicleFacts, watchedRule } from '../../watching/watched.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { type DriversOf, readFacts, type Where } from './rule-facts.ts';
import { readParts, termsOfRow } from './rule-terms.ts';

/** The rules of all accounts that are on, as they are watched. */
export interface RuleBook {
  /** Those of an account that are for this vehicle. */
  for(vehicle: Where & Omit<VehicleFacts, 'folders' | 'signedIn'>): readonly WatchedRule[];
  /** The vehicles whose rules are about the distance to this one. */
  near(vehicle: Pick<DirectoryEntry, 'id' | 'accountId'>): readonly number[];
  hasAny(accountId: number): boolean;
  /** Changes whenever the account's rules, folders or vehicles do, so that nobody looks in vain. */
  generation(accountId: number): number;
  /** Reads the rules of accounts in which one has changed. */
  refresh(accountId: number | null): Promise<void>;
}

interface Known {
  readonly rule: (vehicle: VehicleFacts) => WatchedRule;
  /** Those that it compares distances with, as folders are now. */
  readonly others: () => ReadonlySet<number>;
  /** Null for all of them. */
  readonly vehicles: { readonly folders: ReadonlySet<number>; readonly vehicles: ReadonlySet<number> } | null;
}

const KINDS: ReadonlySet<string> = new Set([
  'rule',
  'geofence',
  'folder',
  'vehicle',
  'settings',
  'driver',
  'department',
]);
const READ: ReadonlySet<string> = new Set(['rule', 'geofence', 'settings', 'driver', 'department']);

export async function openRuleBook(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  roster: DriversOf & Pick<Roster, 'settled'>,
  vehiclesOf: (accountId: number) => Iterable<Where>,
  signedInTo: (vehicleId: number) => VehicleFacts['signedIn'],
): Promise<RuleBook> {
  const accounts = new Map<number, readonly Known[]>();
  const generations = new Map<number, number>();
  const stale = new Set<number>();
  const generationOf = (accountId: number): number => generations.get(accountId) ?? 0;

  feed.follow('after', changes => {
    for (const { accountId, kind } of changes) {
      if (!KINDS.has(kind)) continue;
      generations.set(accountId, (generations.get(accountId) ?? 0) + 1);
      if (READ.has(kind)) stale.add(accountId);
    }
  });
  await feed.open();
  for (const row of await db.system.selectFrom('rule').select('account_id').distinct().execute()) {
    stale.add(row.account_id);
  }

  const read = async (accountId: number): Promise<void> => {
    stale.delete(accountId);
    try {
      // The roster follows the same feed.
      await roster.settled();
      const known = await db.asAccount(accountId, trx => readOn(trx, roster, accountId, vehiclesOf, generationOf));
      if (known.length > 0 || accounts.has(accountId)) accounts.set(accountId, known);
      generations.set(accountId, (generations.get(accountId) ?? 0) + 1);
    } catch (error) {
      stale.add(accountId);
      throw error;
    }
  };

  const isFor = (vehicles: Known['vehicles'], { id, accountId, folderId }: Where): boolean =>
    vehicles === null || vehicles.vehicles.has(id) || roster.isInside('folder', accountId, folderId, vehicles.folders);

  return {
    for: ({ id, accountId, folderId, speedLimitKmh, usualDriverId }) =>
      (accounts.get(accountId) ?? []).flatMap(({ rule, vehicles }) =>
        isFor(vehicles, { id, accountId, folderId })
          ? [
              rule({
                ...{ id, folders: roster.around('folder', accountId, folderId), speedLimitKmh, usualDriverId },
                signedIn: signedInTo(id),
              }),
            ]
          : [],
      ),
    near: ({ id, accountId }) => {
      const about = (accounts.get(accountId) ?? []).filter(({ others }) => others().has(id));
      if (about.length === 0) return [];
      return [...vehiclesOf(accountId)].flatMap(vehicle =>
        vehicle.id !== id && about.some(({ vehicles }) => isFor(vehicles, vehicle)) ? [vehicle.id] : [],
      );
    },
    hasAny: accountId => (accounts.get(accountId)?.length ?? 0) > 0,
    generation: generationOf,
    refresh: async accountId => {
      for (const id of [...stale]) if (accountId === null || id === accountId) await read(id);
    },
  };
}

async function readOn(
  trx: AccountTransaction,
  roster: DriversOf,
  accountId: number,
  vehiclesOf: (accountId: number) => Iterable<Where>,
  generationOf: (accountId: number) => number,
): Promise<Known[]> {
  const rows = await trx
    .selectFrom('rule')
    .selectAll()
    .where('is_on', '=', true)
    .where('built_in', 'is', null)
    .where(sql<boolean>`trigger ->> 'kind' <> all (${DATED_TRIGGERS}::text[])`)
    .orderBy('id')
    .execute();
  if (rows.length === 0) return [];
  const { settings } = await readAccountSettings(trx);
  const calendar = accountCalendar(settings);
  const read = await readFacts(trx, roster, accountId, () => vehiclesOf(accountId));
  const facts = { ...read, vehiclesIn: onceAGeneration(read.vehiclesIn, () => generationOf(accountId)) };
  const parts = await readParts(
    trx,
    rows.map(({ id }) => id),
  );
  return rows.map(row => {
    const { geofenceIds, vehicles } = parts(row.id);
    const terms = termsOfRow(row, geofenceIds);
    const known = { id: row.id, version: row.version, since: epochMs(row.since.getTime()) };
    const rule = watchedRule(terms, calendar, known, facts);
    return {
      rule: vehicle => (isOfVehicle(terms) ? watchedRule(terms, calendar, known, facts, vehicle) : rule),
      others: () => othersOf(terms.trigger, facts),
      vehicles: row.is_for_all
        ? null
        : { folders: new Set(vehicles.folderIds.map(Number)), vehicles: new Set(vehicles.deviceIds.map(Number)) },
    };
  });
}

/** Every vehicle of the account asks, and folders hardly change. */
function onceAGeneration<T>(
  find: (ids: readonly string[]) => T,
  generation: () => number,
): (ids: readonly string[]) => T {
  let found = new Map<string, T>();
  let of = Number.NaN;
  return ids => {
    if (of !== generation()) {
      of = generation();
      found = new Map();
    }
    const key = ids.join(' ');
    const known = found.get(key) ?? find(ids);
    found.set(key, known);
    return known;
  };
}
