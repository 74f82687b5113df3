import type { Role } from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { createUser } from '../accounts/accounts.ts';
import { hashPassword } from '../accounts/password.ts';
import { DEMO_SIGN_IN } from './sign-in.ts';

interface DemoUser {
  readonly userName: string;
  readonly displayName: string;
  readonly role: Role;
  /** The driver who they are. */
  readonly driver?: string;
}

/** Somebody of each role, besides the owner: what each of them sees is there to be tried. */
export const DEMO_USERS: readonly DemoUser[] = [
  { userName: 'demo-admin', displayName: 'Alex Duarte', role: 'admin' },
  { userName: 'demo-dispatcher', displayName: 'Nora Kessler', role: 'dispatcher' },
  { userName: 'demo-viewer', displayName: 'Sam Whitfield', role: 'viewer' },
  { userName: 'demo-driver', displayName: 'Dana Whitlock', role: 'driver', driver: 'Dana Whitlock' },
];

/** Makes the demo's users where they are missing. The owner's password is everybody's; in a public demo there is none. */
export async function prepareUsers(
  db: Kysely<Database>,
  { accountId, isPublic }: { readonly accountId: number; readonly isPublic: boolean },
): Promise<void> {
  const known = await db.selectFrom('app_user').select('user_name').where('account_id', '=', accountId).execute();
  const names = new Set(known.map(({ user_name: name }) => name));
  for (const { driver, ...user } of DEMO_USERS) {
    if (names.has(user.userName)) continue;
    const id = await createUser({ system: db }, { ...user, accountId, password: null });
    if (driver === undefined) continue;
    await db
      .updateTable('driver')
      .set({ user_id: id })
      .where('account_id', '=', accountId)
      .where('name', '=', driver)
      .where('user_id', 'is', null)
      .execute();
  }
  if (isPublic) return closeDoors(db, accountId);
  const ours = [DEMO_SIGN_IN.userName, ...DEMO_USERS.map(({ userName }) => userName)];
  await db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword(DEMO_SIGN_IN.password), must_change_password: false })
    .where('account_id', '=', accountId)
    .where('user_name', 'in', ours)
    .execute();
}

/** Nobody signs in to a public demo: what was known or made while it was on a loopback address opens nothing. */
async function closeDoors(db: Kysely<Database>, accountId: number): Promise<void> {
  await db.updateTable('app_user').set({ password_hash: null }).where('account_id', '=', accountId).execute();
  for (const table of ['session', 'invitation', 'email_change', 'totp', 'passkey', 'recovery_code'] as const) {
    await db.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
  await db.deleteFrom('password_recovery').execute();
}
