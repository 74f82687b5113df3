import {
  type CommandAction,
  type CommandMode,
  needsSecondPerson,
  type RouteAnswer,
  type readControlRules,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Visibility } from '../../fleet/visibility.ts';
import { audit } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import type { Grants } from './grants.ts';
import { reaches, readControllers } from './senders.ts';

type RulesAnswer = RouteAnswer<typeof readControlRules>;

/** The rule of the second person: whether an account keeps to it, and who could be one. */
export interface ControlRules {
  read(accountId: number): Promise<RulesAnswer>;
  /** By an owner in person, with the control password. */
  change(by: By, secondPerson: boolean, controlPassword: string): Promise<RulesAnswer>;
  /** How many others could confirm what this user asks of this vehicle; null where the account asks for nobody. */
  others(vehicle: DirectoryEntry, userId: string): Promise<number | null>;
  /** Throws `no-second-person` where one is needed and there is none. */
  asksFor(vehicle: DirectoryEntry, action: CommandAction, mode: CommandMode | null, userId: string): Promise<boolean>;
}

/** One alone could only wait for themselves. */
const PEOPLE_AT_LEAST = 2;

export function createControlRules(
  { db }: Pick<Context, 'db'>,
  grants: Pick<Grants, 'confirm'>,
  visibility: Visibility,
): ControlRules {
  const read: ControlRules['read'] = accountId =>
    db.asAccount(accountId, async trx => {
      const row = await findRule(trx);
      return {
        secondPerson: row?.second_person ?? true,
        people: (await readControllers(trx)).length,
        changedAt: row?.changed_at.toISOString() ?? null,
        changedBy: row?.by ?? null,
      };
    });

  const others: ControlRules['others'] = (vehicle, userId) =>
    db.asAccount(vehicle.accountId, async trx => {
      if ((await findRule(trx))?.second_person === false) return null;
      const people = await readControllers(trx);
      if (people.length < PEOPLE_AT_LEAST) return null;
      return people.filter(person => person.userId !== userId && reaches(visibility, person, vehicle, 'control'))
        .length;
    });

  return {
    read,
    others,

    change: async (by, secondPerson, controlPassword) => {
      const { accountId, kind, userId } = by.session;
      if (kind === 'api-token') throw new AppError('sign-in-needed');
      const before = await read(accountId);
      const target = { id: accountId, name: '' };
      const changes = [{ field: 'secondPerson', from: before.secondPerson, to: secondPerson }];
      await grants.confirm(by, { target, changes }, controlPassword);
      const row = { second_person: secondPerson, changed_at: new Date(), changed_by: userId };
      await db.asAccount(accountId, async trx => {
        await trx
          .insertInto('control_rule')
          .values({ ...row, account_id: accountId })
          .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
          .execute();
        await audit(trx, by.author, { action: 'control-rules.changed', target, changes });
      });
      return read(accountId);
    },

    asksFor: async (vehicle, action, mode, userId) => {
      if (!needsSecondPerson(action, mode)) return false;
      const count = await others(vehicle, userId);
      if (count === 0) throw new AppError('no-second-person', { vehicle: vehicle.name });
      return count !== null;
    },
  };
}

const findRule = (trx: AccountTransaction) =>
  trx
    .selectFrom('control_rule')
    .leftJoin('person', join =>
      join
        .onRef('person.account_id', '=', 'control_rule.account_id')
        .onRef('person.id', '=', 'control_rule.changed_by'),
    )
    .select(['second_person', 'changed_at', 'person.display_name as by'])
    .executeTakeFirst();
