import type { Role } from '@milepost/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../db/schema.ts';
import { createUser } from '../accounts/accounts.ts';
import { hashPassword } from '../accounts/password.ts';
import { DEMO_CONTROL_PASSWORD, DEMO_SIGN_IN } from './sign-in.ts';

export interface DemoUser {
  readonly userName: string;
  readonly displayName: string;
  readonly role: Role;
  /** The driver who they are. */
  readonly driver?: string;
  /** All that they see, by name; everything when absent. */
  readonly scope?: { readonly folders: readonly string[]; readonly departments: readonly string[] };
}

export const CITY_SCOPE = { folders: ['City delivery', 'Parcel vans'], departments: ['City team'] } as const;

/** Someone of each role, besides the owner: what each of them sees is there to be tried. */
export const DEMO_USERS: readonly DemoUser[] = [
  { userName: 'demo-admin', displayName: 'Alex Duarte', role: 'admin' },
  { userName: 'demo-dispatcher', displayName: 'Nora Kessler', role: 'dispatcher' },
  { userName: 'demo-city', displayName: 'Ines Calderon', role: 'dispatcher', scope: CITY_SCOPE },
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
  for (const user of DEMO_USERS) if (!names.has(user.userName)) await makeUser(db, accountId, user);
  if (isPublic) return closeDoors(db, accountId);
  const ours = [DEMO_SIGN_IN.userName, ...DEMO_USERS.map(({ userName }) => userName)];
  await db
    .updateTable('app_user')
    .set({ password_hash: await hashPassword(DEMO_SIGN_IN.password), must_change_password: false })
    .where('account_id', '=', accountId)
    .where('user_name', 'in', ours)
    .execute();
}

/** A user without a password, who sees what they are to see; their id. */
export async function makeUser(
  db: Kysely<Database>,
  accountId: number,
  { driver, scope, ...user }: DemoUser,
): Promise<string> {
  const id = await createUser({ system: db }, { ...user, accountId, password: null });
  if (scope) {
    await db
      .updateTable('app_user')
      .set(await scopeColumns(db, accountId, scope))
      .where('id', '=', id)
      .execute();
  }
  if (driver !== undefined) {
    await db
      .updateTable('driver')
      .set({ user_id: id })
      .where('account_id', '=', accountId)
      .where('name', '=', driver)
      .where('user_id', 'is', null)
      .execute();
  }
  return id;
}

export async function scopeColumns(db: Kysely<Database>, accountId: number, scope: DemoUser['scope']) {
  if (!scope) return { scope_folders: null, scope_departments: null };
  const idsOf = async (table: 'folder' | 'department', names: readonly string[]): Promise<number[]> => {
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('account_id', '=', accountId)
      .where('name', 'in', [...names])
      .execute();
    return rows.map(({ id }) => id);
  };
  const { folders, departments } = scope;
  return { scope_folders: await idsOf('folder', folders), scope_departments: await idsOf('department', departments) };
}

/** Known to anyone who may send commands in a demo on a loopback address; there is none in a public one. */
export async function prepareControlPassword(db: Kysely<Database>, accountId: number, ownerId: string): Promise<void> {
  const row = { hash: await hashPassword(DEMO_CONTROL_PASSWORD), set_at: new Date(), set_by: ownerId };
  await db
    .insertInto('control_password')
    .values({ ...row, account_id: accountId })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
    .execute();
}

/** Nobody signs in to a public demo: what was known or made while it was on a loopback address opens nothing. */
async function closeDoors(db: Kysely<Database>, accountId: number): Promise<void> {
  await db.updateTable('app_user').set({ password_hash: null }).where('account_id', '=', accountId).execute();
  const doors = [
    'session',
    'invitation',
    'email_change',
    'totp',
    'passkey',
    'recovery_code',
    'control_password',
  ] as const;
  for (const table of doors) {
    await db.deleteFrom(table).where('account_id', '=', accountId).execute();
  }
  await db.deleteFrom('password_recovery').execute();
}
