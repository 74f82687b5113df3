import { personNameSchema, type SignOnGroup, userNameSchema } from '@milepost/contract';
import { sql } from 'kysely';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { isRequiredOf } from '../accounts/second-factor-policy.ts';
import { takenProblem } from '../accounts/taken.ts';
import { type AuditRecord, audit, changesBetween } from '../audit/audit.ts';
import { type RequestedRights, requestedRights } from '../users/requested-rights.ts';
import { inWords } from '../users/user-audit.ts';
import { findUserRow, rightsOf, stateOf, type UserRow } from '../users/user-rows.ts';
import { isLastingOwner, refuseLastOwner } from '../users/users.ts';
import type { Person } from './provider.ts';
import type { SignOnAccount } from './settings.ts';

export type Refusal = 'sign-on-deactivated' | 'sign-on-no-role' | 'sign-on-second-factor';

export interface Resolved {
  readonly user: UserRow;
  /** The user is known but stays out. */
  readonly refusal: Refusal | null;
}

/**
 * The user of this account for a person of its provider: known by issuer and subject, else at a first sign-in found by
 * their verified email address or created, if the account wants that. Never a user of another account. Their role
 * follows their groups.
 * @throws AppError for someone who is no user yet
 */
export async function resolveUser(
  context: Pick<Context, 'db'>,
  account: SignOnAccount,
  person: Person,
  address: string,
): Promise<Resolved> {
  refuseDomain(account, person);
  const { db } = context;
  const userName = await freeUserName(context, person);
  return db
    .asAccount(account.accountId, async (trx): Promise<Resolved> => {
      const found = (await connected(trx, person)) ?? (await matched(trx, account, person));
      const note = (user: UserRow, record: Pick<AuditRecord, 'action' | 'changes'>): Promise<void> => {
        const { id: userId, user_name: userName } = user;
        const author = { accountId: account.accountId, userId, userName, via: 'sign-in' as const, address };
        return audit(trx, author, { target: { id: userId, name: userName }, ...record });
      };
      if (!found) {
        const user = await create(trx, account, person, userName);
        await note(user, { action: 'user.created', changes: changesBetween<object>({}, inWords(user)) });
        return { user, refusal: await withoutFactor(trx, account, person, user) };
      }
      // Owners are changed one at a time, as among the users.
      await sql`select from app_user where id = ${found.id} or role = 'owner' order by id for update`.execute(trx);
      const before = await findUserRow(trx, found.id);
      const state = stateOf(before);
      if (state === 'deactivated' || state === 'expired') return { user: before, refusal: 'sign-on-deactivated' };
      if (found.isNew) {
        await connect(trx, account, person, before.id);
        await trx.deleteFrom('invitation').where('user_id', '=', before.id).execute();
        await note(before, {
          action: 'sign-on.connected',
          changes: changesBetween<object>({}, { issuer: person.issuer }),
        });
      }
      const rights = await rightsFor(trx, account, person, before);
      if (!rights) return { user: before, refusal: 'sign-on-no-role' };
      await trx.updateTable('app_user').set(columnsOf(rights)).where('id', '=', before.id).execute();
      const user = await findUserRow(trx, before.id);
      const changes = changesBetween<object>(inWords(before), inWords(user));
      if (changes.length > 0) await note(user, { action: 'user.changed', changes });
      return { user, refusal: await withoutFactor(trx, account, person, user) };
    })
    .catch((error: unknown) => {
      const problem = takenProblem(error);
      throw problem instanceof AppError && problem.code === 'email-taken'
        ? new AppError('sign-on-email-taken')
        : problem;
    });
}

function refuseDomain({ settings }: SignOnAccount, { email, isEmailVerified }: Person): void {
  if (settings.domains.length === 0) return;
  if (email === null || !isEmailVerified) throw new AppError('sign-on-unverified');
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (!settings.domains.includes(domain)) throw new AppError('sign-on-domain');
}

async function connected(trx: AccountTransaction, { issuer, subject }: Person) {
  const row = await trx
    .selectFrom('sign_on_identity')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row && { id: row.user_id, isNew: false };
}

/**
 * By a verified email address. The user must have proven to own it as well, or have no password yet: else a colleague
 * who entered this address as theirs would get the rights of the user who signs in.
 */
async function matched(
  trx: AccountTransaction,
  { settings }: SignOnAccount,
  { email, isEmailVerified, issuer }: Person,
) {
  if (!settings.match_by_email || email === null || !isEmailVerified) return undefined;
  const user = await trx
    .selectFrom('app_user')
    .select('id')
    .select(sql<boolean>`password_hash is null or lower(confirmed_email) = lower(email)`.as('is_theirs'))
    .where(({ eb, fn, val }) => eb(fn('lower', ['email']), '=', fn('lower', [val(email)])))
    .executeTakeFirst();
  if (!user) return undefined;
  const known = await trx
    .selectFrom('sign_on_identity')
    .select('subject')
    .where('user_id', '=', user.id)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  // The address has changed hands at the provider.
  if (known || !user.is_theirs) throw new AppError('sign-on-email-taken');
  return { id: user.id, isNew: true };
}

const connect = (trx: AccountTransaction, { accountId }: SignOnAccount, { issuer, subject }: Person, userId: string) =>
  trx.insertInto('sign_on_identity').values({ account_id: accountId, issuer, subject, user_id: userId }).execute();

async function create(
  trx: AccountTransaction,
  account: SignOnAccount,
  person: Person,
  userName: string,
): Promise<UserRow> {
  if (!account.settings.create_users) throw new AppError('sign-on-unknown');
  const rights = await rightsFor(trx, account, person, null);
  if (!rights) throw new AppError('sign-on-no-role');
  const { id } = await trx
    .insertInto('app_user')
    .values({
      account_id: account.accountId,
      user_name: userName,
      display_name: personNameSchema.safeParse(person.name ?? person.userName ?? userName).data ?? userName,
      // Anyone may write any address that nobody verifies.
      email: person.isEmailVerified ? person.email : null,
      phone: null,
      ...columnsOf(rights),
      expires_at: null,
      password_hash: null,
      created_by: account.settings.label,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await connect(trx, account, person, id);
  return findUserRow(trx, id);
}

const columnsOf = ({ role, customRoleId, scope }: RequestedRights) => ({
  role,
  custom_role_id: customRoleId,
  scope_folders: scope && [...scope.folderIds],
  scope_departments: scope && [...scope.departmentIds],
});

/** What the person can do from now on; null if none of their groups has a role. */
async function rightsFor(
  trx: AccountTransaction,
  { settings }: SignOnAccount,
  person: Person,
  user: UserRow | null,
): Promise<RequestedRights | null> {
  const present = user && { ...rightsOf(user), customRoleId: user.custom_role_id };
  const byDefault =
    settings.default_role === null ? null : { role: settings.default_role, customRoleId: null, scope: null };
  const group = settings.groups.find(each => person.groups.includes(each.group));
  // Without groups, roles are assigned here.
  const given = settings.groups.length === 0 && present ? present : await granted(trx, group ?? byDefault, present);
  // Else nobody could correct a mistake in the groups.
  const isLast =
    user !== null && isLastingOwner(user) && given?.role !== 'owner' && !(await hasOtherOwner(trx, user.id));
  return isLast ? present : given;
}

async function granted(
  trx: AccountTransaction,
  row: Pick<SignOnGroup, 'role' | 'customRoleId' | 'scope'> | null,
  present: RequestedRights | null,
): Promise<RequestedRights | null> {
  if (!row) return null;
  const { role, customRoleId, scope } = row;
  // Folders and departments that were deleted meanwhile leave the scope; a deleted role leaves nobody more than before.
  const known = scope && {
    folderIds: await still(trx, 'folder', scope.folderIds),
    departmentIds: await still(trx, 'department', scope.departmentIds),
  };
  return requestedRights(trx, { role, customRoleId, scope: known }, present).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
}

async function still(trx: AccountTransaction, table: 'folder' | 'department', ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await trx.selectFrom(table).select('id').where('id', 'in', ids.map(Number)).execute();
  return rows.map(({ id }) => String(id));
}

const hasOtherOwner = (trx: AccountTransaction, id: string): Promise<boolean> =>
  refuseLastOwner(trx, id).then(
    () => true,
    () => false,
  );

/** The account's policy, met by what the provider has asked for: nobody enters a second factor here. */
async function withoutFactor(
  trx: AccountTransaction,
  { settings }: SignOnAccount,
  { secondFactor }: Person,
  user: UserRow,
): Promise<Refusal | null> {
  if (secondFactor || settings.trust_second_factor) return null;
  return (await isRequiredOf(trx, user.id)) ? 'sign-on-second-factor' : null;
}

/** From the name or the address at the provider; unique in the installation. */
async function freeUserName({ db }: Pick<Context, 'db'>, person: Person): Promise<string> {
  const [wanted = ''] = (person.userName ?? person.email ?? person.name ?? '').split('@');
  const plain = wanted
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9._-]+/g, '')
    .slice(0, 28);
  const base = userNameSchema.safeParse(plain).data ?? 'user';
  const candidates = [base, ...Array.from({ length: 8 }, (_, i) => `${base}${i + 2}`)];
  const taken = await db.system
    .selectFrom('app_user')
    .select(sql<string>`lower(user_name)`.as('name'))
    .where(
      sql`lower(user_name)`,
      'in',
      candidates.map(each => each.toLowerCase()),
    )
    .execute();
  const names = new Set(taken.map(({ name }) => name));
  const random = (): string => `${base.slice(0, 23)}-${crypto.randomUUID().slice(0, 8)}`;
  return candidates.find(each => !names.has(each.toLowerCase())) ?? random();
}
