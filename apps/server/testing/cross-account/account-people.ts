import { randomBytes } from 'node:crypto';
import { PERMISSIONS_OF_ROLE, type Role } from '@milepost/contract';
import { sql } from 'kysely';
import { hashPassword } from '../../src/modules/accounts/password.ts';
import { newSecrets } from '../../src/modules/accounts/sessions.ts';
import type { TestHttpServer } from '../http-server.ts';
import { testImei } from '../imei.ts';
import { geofenceOf, type Person, ruleOf } from './account-rows.ts';

/** Users of accounts, those around them, and what is theirs and not the fleet's. */

/** Everyone's password, hashed once because the cost of a hash is not under test. */
export const PASSWORD = 'a sentence nobody guesses';
let passwordHash: Promise<string> | null = null;
let count = 0;

export interface UserOptions {
  /** A new account unless one is given. */
  readonly accountId?: number;
  readonly role?: Role;
  readonly readOnly?: boolean;
  /** They are the driver in their data. */
  readonly drives?: boolean;
  /** They and their colleague are limited to a folder and a department that contain everything they have. */
  readonly limited?: boolean;
}

export function at<T>(rows: readonly T[], index: number): T {
  const row = rows[index];
  if (row === undefined) throw new Error('A row is missing.');
  return row;
}

export async function signedInUsers(
  { context }: TestHttpServer,
  { role = 'owner', readOnly = false }: UserOptions,
  where: readonly number[] | number,
): Promise<readonly Person[]> {
  const { system } = context.db;
  const serials = Array.from({ length: typeof where === 'number' ? where : where.length }, () => ++count);
  const nameOf = (serial: number) => `with-data-${serial}`;
  const accounts =
    typeof where === 'number'
      ? await system
          .insertInto('account')
          .values(serials.map(serial => ({ name: nameOf(serial) })))
          .returning('id')
          .execute()
      : where.map(id => ({ id }));
  passwordHash ??= hashPassword(PASSWORD);
  const password_hash = await passwordHash;
  const people = serials.map((serial, i) => ({
    serial,
    marker: `marker${serial}x`,
    imei: testImei(3000 + serial),
    accountId: at(accounts, i).id,
    userName: nameOf(serial),
    secrets: newSecrets(''),
  }));
  const users = await system
    .insertInto('app_user')
    .values(
      people.map(({ accountId, userName, marker }) => ({
        account_id: accountId,
        user_name: userName,
        display_name: marker,
        role,
        password_hash,
      })),
    )
    .returning('id')
    .execute();
  const sessions = await system
    .insertInto('session')
    .values(
      people.map(({ accountId, secrets }, i) => ({
        account_id: accountId,
        user_id: at(users, i).id,
        ...secrets.hashes,
        read_only: readOnly,
        expires_at: new Date(Date.now() + 43_200_000),
      })),
    )
    .returning('id')
    .execute();
  return people.map(({ secrets, ...person }, i) => ({
    ...person,
    userId: at(users, i).id,
    token: secrets.token,
    sessionId: at(sessions, i).id,
  }));
}

/** Their personal data, not the fleet's, and the users around them. */
export async function withSecrets(
  { context }: TestHttpServer,
  { role = 'owner' }: UserOptions,
  people: readonly Person[],
) {
  const { system } = context.db;
  const images = people.map(() => `${randomBytes(16).toString('hex')}.webp`);
  const another = (role: Role, what: string) =>
    system
      .insertInto('app_user')
      .values(
        people.map(({ accountId, marker }) => ({
          account_id: accountId,
          user_name: `${marker}-${what}`,
          display_name: `${marker}-${what}`,
          role,
          password_hash: null,
        })),
      )
      .returning('id')
      .execute();
  const apiTokens = people.map(({ accountId, userId, marker }) => ({
    account_id: accountId,
    user_id: userId,
    kind: 'api-token' as const,
    name: marker,
    permissions: ['vehicles.read' as const],
    ...newSecrets('').hashes,
    expires_at: new Date(Date.now() + 86_400_000),
  }));
  const [colleagues, sharers, roles, views, geofences, geofenceGroups, rules, passkeys, tokens] = await Promise.all([
    another('viewer', 'colleague'),
    // Links work as long as their creator may share; for users who may not, another user creates theirs.
    PERMISSIONS_OF_ROLE[role].includes('shares.write')
      ? people.map(({ userId }) => ({ id: userId }))
      : another('dispatcher', 'sharer'),
    system
      .insertInto('custom_role')
      .values(
        people.map(({ accountId, marker }) => ({
          account_id: accountId,
          name: marker,
          based_on: 'viewer',
          permissions: ['vehicles.read'],
        })),
      )
      .returning('id')
      .execute(),
    system
      .insertInto('saved_view')
      .values(
        people.map(({ accountId, marker, userId }) => ({
          account_id: accountId,
          page: 'fleet',
          name: marker,
          query: `q=${marker}`,
          owner_id: userId,
          created_by: userId,
        })),
      )
      .returning('id')
      .execute(),
    system.insertInto('geofence').values(people.map(geofenceOf)).returning('id').execute(),
    system
      .insertInto('geofence_group')
      .values(people.map(({ accountId, marker }) => ({ account_id: accountId, name: marker, color: 'blue' })))
      .returning('id')
      .execute(),
    system.insertInto('rule').values(people.map(ruleOf)).returning('id').execute(),
    system
      .insertInto('passkey')
      .values(
        people.map(({ accountId, marker, userId }) => ({
          account_id: accountId,
          user_id: userId,
          credential_id: marker,
          public_key: Buffer.alloc(1),
          counter: 0,
          rp_id: 'localhost',
          name: marker,
          last_used_at: null,
        })),
      )
      .returning('id')
      .execute(),
    system.insertInto('session').values(apiTokens).returning('id').execute(),
    system
      .insertInto('image')
      .values(
        people.map(({ accountId }, i) => ({
          account_id: accountId,
          name: at(images, i),
          kind: 'user',
          content: Buffer.from('an image'),
        })),
      )
      .execute(),
    sql`update app_user set image = given.image
      from unnest(${people.map(({ userId }) => userId)}::uuid[], ${images}::text[]) as given(id, image)
      where app_user.id = given.id`.execute(system),
  ]);
  return people.map((person, i) => ({
    ...person,
    image: at(images, i),
    colleagueId: at(colleagues, i).id,
    sharerId: at(sharers, i).id,
    roleId: String(at(roles, i).id),
    viewId: String(at(views, i).id),
    geofenceId: String(at(geofences, i).id),
    geofenceGroupId: String(at(geofenceGroups, i).id),
    ruleId: String(at(rules, i).id),
    passkeyId: at(passkeys, i).id,
    apiTokenId: at(tokens, i).id,
  }));
}

/** Limits each user and their colleague to their region. */
export async function limitEach(
  { context }: TestHttpServer,
  people: readonly { readonly userId: string; readonly colleagueId: string }[],
  folders: readonly { readonly id: number }[],
  departments: readonly { readonly id: number }[],
): Promise<void> {
  const ids = people.flatMap(({ userId, colleagueId }) => [userId, colleagueId]);
  const twice = (rows: readonly { readonly id: number }[]) => rows.flatMap(({ id }) => [id, id]);
  await sql`update app_user set scope_folders = array[given.folder], scope_departments = array[given.department]
    from unnest(${ids}::uuid[], ${twice(folders)}::int[], ${twice(departments)}::int[]) as given(id, folder, department)
    where app_user.id = given.id`.execute(context.db.system);
}
