import { fieldErrorOf, NO_PREFERENCES, newPasswordSchema, type Role, userNameSchema } from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { z } from 'zod';
import type { Database } from '../../db/schema.ts';
import { audit, systemAuthor } from '../audit/audit.ts';
import { hashPassword } from './password.ts';
import { passwordProblem } from './password-rules.ts';

type Doors = { readonly system: Kysely<Database> };

export interface NewAccount {
  readonly name: string;
  readonly demo?: boolean;
  /** The account that runs the installation; there is at most one. */
  readonly operator?: boolean;
}

export async function createAccount({ system }: Doors, account: NewAccount): Promise<number> {
  const { id } = await system.insertInto('account').values(account).returning('id').executeTakeFirstOrThrow();
  return id;
}

export interface NewUser {
  readonly accountId: number;
  readonly userName: string;
  readonly displayName?: string;
  readonly role: Role;
  /** Null for a user who can't sign in with a password. */
  readonly password: string | null;
}

export async function createUser({ system }: Doors, user: NewUser): Promise<string> {
  const { id } = await system
    .insertInto('app_user')
    .values({
      account_id: user.accountId,
      user_name: user.userName,
      display_name: user.displayName ?? user.userName,
      role: user.role,
      password_hash: user.password === null ? null : await hashPassword(user.password),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** The first account's name until its owner changes it. The sign-in page shows it, so it must not be a user name. */
const FIRST_ACCOUNT = 'My fleet';

export interface Owner {
  readonly created: boolean;
  readonly accountId: number;
  readonly userId: string;
}

/** The owner can't be created; the message tells the operator why. */
export class OwnerError extends Error {
  override name = 'OwnerError';
}

const sentenceOf = ({ issues: [first] }: z.ZodError): string => (first ? fieldErrorOf(first).message : '');

const SECOND_FACTORS = ['totp', 'passkey', 'recovery_code'] as const;
const EMAILED_LINKS = ['invitation', 'email_change', 'password_recovery'] as const;

/**
 * Creates the owner of the installation, or restores an existing owner's access: sets a new password and removes
 * their second factors, sessions, links and codes. The operator's account is created with its first owner.
 */
export async function createOwner(
  { system }: Doors,
  name: string,
  password: string,
  displayName?: string,
): Promise<Owner> {
  const userName = userNameSchema.safeParse(name);
  if (!userName.success) throw new OwnerError(`The owner’s user name is not valid. ${sentenceOf(userName.error)}`);
  const checked = newPasswordSchema.safeParse(password);
  if (!checked.success) throw new OwnerError(`The owner’s password is not valid. ${sentenceOf(checked.error)}`);
  const problem = await passwordProblem('password', checked.data, { userName: userName.data });
  if (problem) throw new OwnerError(`The owner’s password is not valid. ${problem.message}`);

  const existing = await system
    .selectFrom('app_user')
    .select(['id', 'account_id', 'role'])
    .where(({ fn, val, eb }) => eb(fn('lower', ['user_name']), '=', fn('lower', [val(userName.data)])))
    .executeTakeFirst();
  if (existing) {
    if (existing.role !== 'owner') {
      throw new OwnerError(
        `${userName.data} is a user with the role ${existing.role}. Choose another name for the owner.`,
      );
    }
    const passwordHash = await hashPassword(checked.data);
    await system.transaction().execute(async trx => {
      // Removes what may have kept them out: an end date of their access, a lost second factor.
      await trx
        .updateTable('app_user')
        .set({ password_hash: passwordHash, must_change_password: false, active: true, expires_at: null })
        .where('id', '=', existing.id)
        .execute();
      // Links and codes sent before grant access, too.
      for (const table of [...SECOND_FACTORS, ...EMAILED_LINKS] as const) {
        await trx.deleteFrom(table).where('user_id', '=', existing.id).execute();
      }
      // Expired, not deleted: a running server finds expired sessions and closes their connections.
      await trx.updateTable('session').set({ expires_at: new Date() }).where('user_id', '=', existing.id).execute();
      const target = { id: existing.id, name: userName.data };
      await audit(trx, systemAuthor(existing.account_id), { action: 'password.recovered', target });
    });
    return { created: false, accountId: existing.account_id, userId: existing.id };
  }

  const operator = await system.selectFrom('account').select('id').where('operator', '=', true).executeTakeFirst();
  const accountId = operator?.id ?? (await createAccount({ system }, { name: FIRST_ACCOUNT, operator: true }));
  const userId = await createUser(
    { system },
    {
      accountId,
      userName: userName.data,
      ...(displayName !== undefined && { displayName }),
      role: 'owner',
      password: checked.data,
    },
  );
  if (!operator) {
    // The owner of a new installation is taken through the setup.
    const preferences = { ...NO_PREFERENCES, setupDone: [], setupSkipped: [] };
    await system
      .updateTable('app_user')
      .set({ preferences: JSON.stringify(preferences) })
      .where('id', '=', userId)
      .execute();
  }
  await audit(system, systemAuthor(accountId), {
    action: 'user.created',
    target: { id: userId, name: userName.data },
  });
  return { created: true, accountId, userId };
}
