import type { ChangeKind } from '@milepost/contract';
import type { Context } from '../context.ts';
import { plainCard } from '../tracks/driver-card.ts';
import { rereadOnChange } from './rereading.ts';

export interface RosterDriver {
  readonly id: number;
  readonly name: string;
  readonly card: string | null;
  readonly departmentId: number | null;
  readonly userId: string | null;
}

/** Folders, departments and drivers of one account. */
interface AccountRoster {
  readonly folderParents: ReadonlyMap<number, number | null>;
  readonly departmentParents: ReadonlyMap<number, number | null>;
  readonly drivers: ReadonlyMap<number, RosterDriver>;
  readonly byCard: ReadonlyMap<string, RosterDriver>;
  readonly byUser: ReadonlyMap<string, RosterDriver>;
}

/**
 * Folders, departments and drivers in memory, so that no report and no look at a vehicle needs a query. Follows the
 * change feed, and announces by the signal `organisation-changed` that it has reread an account. Archived drivers are
 * not included.
 */
export interface Roster {
  driver(accountId: number, id: number): RosterDriver | null;
  driverOfUser(accountId: number, userId: string): RosterDriver | null;
  /** `card` as the tracker sent it. */
  driverOfCard(accountId: number, card: string): RosterDriver | null;
  /** Whether the group is one of these, or inside one of them. */
  isInside(kind: 'folder' | 'department', accountId: number, id: number | null, groups: ReadonlySet<number>): boolean;
  /** The group, and those around it, from the inside out; empty for no group. */
  around(kind: 'folder' | 'department', accountId: number, id: number | null): number[];
  /** The outermost folder or department that the group is in; null for no group. */
  outermost(kind: 'folder' | 'department', accountId: number, id: number | null): number | null;
  driversOf(accountId: number): Iterable<RosterDriver>;
  /** Resolves when all changes until now have been read. */
  settled(): Promise<void>;
}

const EMPTY: AccountRoster = {
  folderParents: new Map(),
  departmentParents: new Map(),
  drivers: new Map(),
  byCard: new Map(),
  byUser: new Map(),
};
const KINDS: ReadonlySet<ChangeKind> = new Set(['folder', 'department', 'driver']);
/** Deeper than any tree may be, so that a cycle ends. */
const STEPS = 64;

type RosterContext = Pick<Context, 'db' | 'feed' | 'log' | 'signals'>;

export async function openRoster({ db, feed, log, signals }: RosterContext): Promise<Roster> {
  const accounts = new Map<number, AccountRoster>();
  const { settled } = rereadOnChange(
    { feed, log },
    {
      what: 'changed folders, departments or drivers',
      concerns: ({ kind }) => KINDS.has(kind),
      read: async ids => {
        for (const [id, roster] of await load(db, ids)) accounts.set(id, roster);
        for (const accountId of ids) signals.emit('organisation-changed', { accountId });
      },
    },
  );
  await feed.open();
  for (const [id, roster] of await load(db, 'all')) accounts.set(id, roster);

  const of = (accountId: number): AccountRoster => accounts.get(accountId) ?? EMPTY;
  const around: Roster['around'] = (kind, accountId, id) => {
    const roster = of(accountId);
    const parents = kind === 'folder' ? roster.folderParents : roster.departmentParents;
    const groups: number[] = [];
    for (let at = id; at !== null && groups.length < STEPS; at = parents.get(at) ?? null) groups.push(at);
    return groups;
  };
  return {
    driver: (accountId, id) => of(accountId).drivers.get(id) ?? null,
    driverOfUser: (accountId, userId) => of(accountId).byUser.get(userId) ?? null,
    driverOfCard: (accountId, card) => of(accountId).byCard.get(plainCard(card)) ?? null,
    isInside: (kind, accountId, id, groups) => {
      const roster = of(accountId);
      const parents = kind === 'folder' ? roster.folderParents : roster.departmentParents;
      for (let at = id, steps = 0; at !== null && steps < STEPS; at = parents.get(at) ?? null, steps++) {
        if (groups.has(at)) return true;
      }
      return false;
    },
    around,
    outermost: (kind, accountId, id) => around(kind, accountId, id).at(-1) ?? null,
    driversOf: accountId => of(accountId).drivers.values(),
    settled,
  };
}

async function load({ system }: Context['db'], ids: readonly number[] | 'all'): Promise<Map<number, AccountRoster>> {
  const groups = (table: 'folder' | 'department') =>
    system
      .selectFrom(table)
      .select(['id', 'account_id', 'parent_id'])
      .$if(ids !== 'all', query => query.where('account_id', 'in', ids as number[]))
      .execute();
  const drivers = await system
    .selectFrom('driver')
    .select(['id', 'account_id', 'name', 'card', 'department_id', 'user_id'])
    .where('archived', '=', false)
    .$if(ids !== 'all', query => query.where('account_id', 'in', ids as number[]))
    .execute();
  const [folders, departments] = [await groups('folder'), await groups('department')];

  const byAccount = new Map<number, Writable>();
  const of = (accountId: number): Writable => {
    const known = byAccount.get(accountId) ?? {
      folderParents: new Map(),
      departmentParents: new Map(),
      drivers: new Map(),
      byCard: new Map(),
      byUser: new Map(),
    };
    byAccount.set(accountId, known);
    return known;
  };
  if (ids !== 'all') for (const id of ids) of(id);
  for (const row of folders) of(row.account_id).folderParents.set(row.id, row.parent_id);
  for (const row of departments) of(row.account_id).departmentParents.set(row.id, row.parent_id);
  for (const row of drivers) {
    const { id, name, card, department_id: departmentId, user_id: userId } = row;
    const driver: RosterDriver = { id, name, card, departmentId, userId };
    const roster = of(row.account_id);
    roster.drivers.set(id, driver);
    if (card !== null) roster.byCard.set(card, driver);
    if (userId !== null) roster.byUser.set(userId, driver);
  }
  return byAccount;
}

interface Writable {
  readonly folderParents: Map<number, number | null>;
  readonly departmentParents: Map<number, number | null>;
  readonly drivers: Map<number, RosterDriver>;
  readonly byCard: Map<string, RosterDriver>;
  readonly byUser: Map<string, RosterDriver>;
}
