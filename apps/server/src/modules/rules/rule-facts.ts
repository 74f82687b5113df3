import type { AccountTransaction } from '../../db/database.ts';
import type { Roster } from '../../fleet/roster.ts';
import type { AskedDrivers, MeantDrivers, RuleFacts } from '../../watching/watched.ts';

export type DriversOf = Pick<Roster, 'around' | 'driversOf' | 'isInside'>;

/** What an account knows that its rules look at: speed limits of geofences, and drivers with their cards. */
export async function readFacts(trx: AccountTransaction, roster: DriversOf, accountId: number): Promise<RuleFacts> {
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
  };
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
