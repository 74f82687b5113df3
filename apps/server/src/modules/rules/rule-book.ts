import type { WatchedRule } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Roster } from '../../fleet/roster.ts';
import { accountCalendar, watchedRule } from '../../watching/watched.ts';
import { readAccountSettings } from '../tenancy/settings.ts';
import { readParts, termsOfRow } from './rules.ts';

/** The rules of all accounts that are on, as they are watched. */
export interface RuleBook {
  /** Those of an account that are for this vehicle. */
  for(vehicle: Pick<DirectoryEntry, 'id' | 'accountId' | 'folderId'>): readonly WatchedRule[];
  hasAny(accountId: number): boolean;
  /** Changes whenever the account's rules, folders or vehicles do, so that nobody looks in vain. */
  generation(accountId: number): number;
  /** Reads the rules of accounts in which one has changed. */
  refresh(accountId: number | null): Promise<void>;
}

interface Known {
  readonly rule: WatchedRule;
  /** Null for all of them. */
  readonly vehicles: { readonly folders: ReadonlySet<number>; readonly vehicles: ReadonlySet<number> } | null;
}

const KINDS: ReadonlySet<string> = new Set(['rule', 'geofence', 'folder', 'vehicle', 'settings']);
const READ: ReadonlySet<string> = new Set(['rule', 'geofence', 'settings']);

export async function openRuleBook(
  { db, feed }: Pick<Context, 'db' | 'feed'>,
  roster: Pick<Roster, 'isInside'>,
): Promise<RuleBook> {
  const accounts = new Map<number, readonly Known[]>();
  const generations = new Map<number, number>();
  const stale = new Set<number>();

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
      const known = await db.asAccount(accountId, readOn);
      if (known.length > 0 || accounts.has(accountId)) accounts.set(accountId, known);
      generations.set(accountId, (generations.get(accountId) ?? 0) + 1);
    } catch (error) {
      stale.add(accountId);
      throw error;
    }
  };

  return {
    for: ({ id, accountId, folderId }) =>
      (accounts.get(accountId) ?? []).flatMap(({ rule, vehicles }) =>
        vehicles === null ||
        vehicles.vehicles.has(id) ||
        roster.isInside('folder', accountId, folderId, vehicles.folders)
          ? [rule]
          : [],
      ),
    hasAny: accountId => (accounts.get(accountId)?.length ?? 0) > 0,
    generation: accountId => generations.get(accountId) ?? 0,
    refresh: async accountId => {
      for (const id of [...stale]) if (accountId === null || id === accountId) await read(id);
    },
  };
}

async function readOn(trx: Parameters<typeof readParts>[0]): Promise<Known[]> {
  const rows = await trx.selectFrom('rule').selectAll().where('is_on', '=', true).orderBy('id').execute();
  if (rows.length === 0) return [];
  const { settings } = await readAccountSettings(trx);
  const calendar = accountCalendar(settings);
  const parts = await readParts(
    trx,
    rows.map(({ id }) => id),
  );
  return rows.map(row => {
    const { geofenceIds, vehicles } = parts(row.id);
    const { id, version } = row;
    return {
      rule: watchedRule(termsOfRow(row, geofenceIds), calendar, { id, version, since: epochMs(row.since.getTime()) }),
      vehicles: row.is_for_all
        ? null
        : { folders: new Set(vehicles.folderIds.map(Number)), vehicles: new Set(vehicles.deviceIds.map(Number)) },
    };
  });
}
