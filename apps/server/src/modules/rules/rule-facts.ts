import { isAboutOthers, RULE_OTHERS_IN_FOLDERS_MAX, type RuleTrigger } from '@milepost/contract';
import { invalidField } from '../../app-error.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Roster } from '../../fleet/roster.ts';
import type { AskedDrivers, MeantDrivers, RuleFacts } from '../../watching/watched.ts';

export type DriversOf = Pick<Roster, 'around' | 'driversOf' | 'isInside'>;
export type Where = Pick<DirectoryEntry, 'id' | 'accountId' | 'folderId'>;

/** What an account knows that its rules look at: speed limits of geofences, drivers with their cards, and folders. */
export async function readFacts(
  trx: AccountTransaction,
  roster: DriversOf,
  accountId: number,
  vehicles: () => Iterable<Where>,
): Promise<RuleFacts> {
  const rows = await trx
    .selectFrom('geofence')
    .select(['id', 'speed_limit_kmh'])
    .where('is_on', '=', true)
    .where('speed_limit_kmh', 'is not', null)
    .execute();
  const cards = [...roster.driversOf(accountId)].flatMap(({ card }) => card ?? []);
  return {
    limits: new Map(rows.map(row => [row.id, row.speed_limit_kmh ?? 0])),
    cards: new Set(cards),
    drivers: asked => meantDrivers(roster, accountId, asked),
    vehiclesIn: folderIds => vehiclesIn(roster, vehicles(), folderIds),
  };
}

/** Those of these vehicles that are in one of these folders, or inside one of them. */
function vehiclesIn(roster: DriversOf, vehicles: Iterable<Where>, folderIds: readonly string[]): number[] {
  const folders = new Set(folderIds.map(Number));
  if (folders.size === 0) return [];
  return [...vehicles].flatMap(({ id, accountId, folderId }) =>
    roster.isInside('folder', accountId, folderId, folders) ? id : [],
  );
}

/** Refuses a rule that compares each of its vehicles with more others than it can look at every few seconds. */
export function refuseCrowd(roster: DriversOf, vehicles: Iterable<Where>, trigger: RuleTrigger): void {
  if (!isAboutOthers(trigger)) return;
  const max = RULE_OTHERS_IN_FOLDERS_MAX;
  if (vehiclesIn(roster, vehicles, trigger.otherFolderIds).length <= max) return;
  throw invalidField('trigger.otherIds', 'too-many-in-folders', { max });
}

function meantDrivers(roster: DriversOf, accountId: number, { departmentIds, driverIds }: AskedDrivers): MeantDrivers {
  const [named, departments] = [new Set(driverIds.map(Number)), new Set(departmentIds.map(Number))];
  const ids = new Set<number>();
  const cards = new Set<string>();
  for (const { id, card, departmentId } of roster.driversOf(accountId)) {
    if (!named.has(id) && !roster.isInside('department', accountId, departmentId, departments)) continue;
    ids.add(id);
    if (card !== null) cards.add(card);
  }
  return { ids, cards };
}
