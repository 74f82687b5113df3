import type { newUserSchema, RouteAnswer, User, updateMyUser, userChangeSchema } from '@milepost/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { dropEmailChange, type EmailChanges, type EmailProposal } from '../accounts/email-changes.ts';
import { lockUser } from '../accounts/lock-user.ts';
import { sendNotice } from '../accounts/notices.ts';
import type { SignedInCall } from '../accounts/own-password.ts';
import { hashPassword } from '../accounts/password.ts';
import { refuseBadPassword } from '../accounts/password-rules.ts';
import type { Sessions } from '../accounts/sessions.ts';
import { takenProblem } from '../accounts/taken.ts';
import { type AuditRecord, audit, authorOf, changesBetween } from '../audit/audit.ts';
import { dependentsOf } from './dependents.ts';
import { invite, sendInvitation } from './invitations.ts';
import { type RequestedRights, requestedRights } from './requested-rights.ts';
import type { Holding } from './rights.ts';
import { auditRecordsOf, inWords } from './user-audit.ts';
import { findUserRow, listUserRows, rightsOf, stateOf, type UserRow, userAnswer } from './user-rows.ts';

export type NewUser = z.output<typeof newUserSchema>;
export type UserChange = z.output<typeof userChangeSchema>;

export interface UsersNeeds {
  readonly emails: EmailChanges;
  readonly holding: Holding;
  readonly sessions: Sessions;
}

/**
 * An account's users, managed by users who hold at least the same rights. Each change is written to the audit log in
 * its transaction.
 */
export function createUsers(context: Context, { emails, holding, sessions }: UsersNeeds) {
  const { db, feed, mailer } = context;

  const note = (
    trx: AccountTransaction,
    call: SignedInCall,
    row: UserRow,
    record: Pick<AuditRecord, 'action' | 'changes'>,
  ) => audit(trx, authorOf(call), { target: { id: row.id, name: row.user_name }, ...record });

  /** A new address must be confirmed if the user has joined; before that it applies immediately. */
  const proposeEmail = async (
    trx: AccountTransaction,
    call: SignedInCall,
    before: UserRow,
    { email }: UserChange,
  ): Promise<EmailProposal | null> => {
    const waits = email && email !== before.email && !before.has_no_password && emails.canSend;
    if (!waits) return null;
    await note(trx, call, before, {
      action: 'email.change-asked',
      changes: changesBetween({ email: before.email }, { email }),
    });
    return emails.propose(trx, before.id, email, call.request.ip);
  };

  /** A user in the caller's scope; any other is `not-found`. */
  const found = async (trx: AccountTransaction, { session }: SignedInCall, id: string): Promise<UserRow> => {
    const row = await findUserRow(trx, id);
    if (!holding.sees(session, rightsOf(row))) throw new AppError('not-found');
    return row;
  };

  /** A user whom the caller may change: in their scope, not themselves, and with no more rights. */
  const changeable = async (trx: AccountTransaction, call: SignedInCall, id: string): Promise<UserRow> => {
    const { session } = call;
    // Owners are changed one at a time: if two remove each other, one remains.
    await sql`select from app_user where id = ${id} or role = 'owner' order by id for update`.execute(trx);
    const row = await found(trx, call, id);
    if (id === session.userId) throw new AppError('that-is-you');
    holding.refuseMore(session, rightsOf(row));
    return row;
  };

  const inAccount = <T>(call: SignedInCall, work: (trx: AccountTransaction) => Promise<T>): Promise<T> =>
    db.asAccount(call.session.accountId, work).catch((error: unknown) => {
      throw takenProblem(error);
    });

  return {
    list: (call: SignedInCall, { q, limit }: { q?: string | undefined; limit: number }): Promise<User[]> =>
      inAccount(call, async trx => {
        const rows = await listUserRows(trx, q === undefined ? {} : { q });
        const others = rows
          .filter(row => row.id !== call.session.userId && holding.sees(call.session, rightsOf(row)))
          .slice(0, limit);
        return others.map(row => userAnswer(row, call.session, holding));
      }),

    register: async (call: SignedInCall, body: NewUser) => {
      const { accountId, userName: inviter } = call.session;
      const made = await inAccount(call, async trx => {
        const rights = await requestedRights(trx, body, null);
        holding.refuseMore(call.session, rights);
        if (body.password !== undefined) await refuseBadPassword('password', body.password, await ownerOf(trx, body));
        const { id } = await trx
          .insertInto('app_user')
          .values({
            account_id: accountId,
            user_name: body.userName,
            display_name: body.displayName,
            email: body.email ?? null,
            phone: body.phone ?? null,
            gender: body.gender ?? 0,
            ...columnsOf(rights),
            expires_at: body.expiresAt ? new Date(body.expiresAt) : null,
            password_hash: body.password === undefined ? null : await hashPassword(body.password),
            must_change_password: body.password !== undefined,
            created_by: inviter,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        const invitation = body.password === undefined ? await invite(trx, accountId, id) : null;
        const row = await findUserRow(trx, id);
        await note(trx, call, row, { action: 'user.created', changes: changesBetween<object>({}, inWords(row)) });
        return { row, invitation };
      });
      const { email } = made.row;
      return {
        data: userAnswer(made.row, call.session, holding),
        invitation:
          made.invitation &&
          sendInvitation(context, made.invitation, { displayName: body.displayName, email, inviter }),
      };
    },

    update: async (call: SignedInCall, id: string, change: UserChange): Promise<RouteAnswer<typeof updateMyUser>> => {
      const { accountId, userName: inviter } = call.session;
      const { before, after, invitation, proposal } = await inAccount(call, async trx => {
        const before = await changeable(trx, call, id);
        const rights = await requestedRights(trx, change, { ...rightsOf(before), customRoleId: before.custom_role_id });
        holding.refuseMore(call.session, rights);
        if (change.password !== undefined) {
          const owner = {
            userName: before.user_name,
            displayName: before.display_name,
            email: before.email,
            ...change,
          };
          await refuseBadPassword('password', change.password, await ownerOf(trx, owner));
        }
        if (change.password !== undefined) {
          await trx.deleteFrom('invitation').where('user_id', '=', id).execute();
          await dropEmailChange(trx, id);
        }
        const proposal = await proposeEmail(trx, call, before, change);
        const columns = await columnsOfChange(proposal ? { ...change, email: undefined } : change, rights);
        await trx.updateTable('app_user').set(columns).where('id', '=', id).execute();
        if (columns.email !== undefined && columns.email !== before.email) await dropEmailChange(trx, id);
        const after = await findUserRow(trx, id);
        if (isLastingOwner(before) && !isLastingOwner(after)) await refuseLastOwner(trx, id);
        for (const record of auditRecordsOf(before, after, change)) await note(trx, call, after, record);
        // The previous address may belong to someone else, who could use the invitation sent there.
        const isInvitedElsewhere = stillToCome(after) && after.email !== before.email;
        const invitation = isInvitedElsewhere ? await invite(trx, accountId, id) : null;
        if (invitation) await note(trx, call, after, { action: 'user.invited' });
        return { before, after, invitation, proposal };
      });
      if (proposal) await emails.send(proposal);
      else if (after.email !== before.email && !before.has_no_password) {
        sendNotice(mailer, { displayName: before.display_name, email: before.email }, 'email-changed');
      }
      const isOut = stateOf(after) === 'deactivated' || stateOf(after) === 'expired' || change.password !== undefined;
      if (isOut) await sessions.endOfUser(id);
      else await feed.settled();
      const { display_name: displayName, email } = after;
      return {
        data: userAnswer(after, call.session, holding),
        invitation: invitation && sendInvitation(context, invitation, { displayName, email, inviter }),
      };
    },

    dependents: (call: SignedInCall, id: string) =>
      inAccount(call, async trx => dependentsOf(trx, await found(trx, call, id))),

    remove: async (call: SignedInCall, id: string) => {
      const dependents = await inAccount(call, async trx => {
        const row = await changeable(trx, call, id);
        if (isLastingOwner(row)) await refuseLastOwner(trx, id);
        const dependents = await dependentsOf(trx, row);
        await note(trx, call, row, { action: 'user.deleted' });
        if (row.image !== null) await trx.deleteFrom('image').where('name', '=', row.image).execute();
        await trx.deleteFrom('app_user').where('id', '=', id).execute();
        return dependents;
      });
      await feed.settled();
      return { deleted: true as const, id, dependents };
    },

    signOut: async (call: SignedInCall, id: string) => {
      await inAccount(call, async trx => {
        const row = await found(trx, call, id);
        holding.refuseMore(call.session, rightsOf(row));
        await note(trx, call, row, { action: 'user.signed-out' });
      });
      return { ended: await sessions.endOfUser(id) };
    },

    inviteAgain: async (call: SignedInCall, id: string) => {
      const { row, invitation } = await inAccount(call, async trx => {
        await lockUser(trx, id);
        const row = await found(trx, call, id);
        holding.refuseMore(call.session, rightsOf(row));
        if (!row.has_no_password) throw new AppError('already-joined');
        await note(trx, call, row, { action: 'user.invited' });
        return { row, invitation: await invite(trx, call.session.accountId, id) };
      });
      const { display_name: displayName, email } = row;
      return sendInvitation(context, invitation, { displayName, email, inviter: call.session.userName });
    },

    resetSecondFactor: async (call: SignedInCall, id: string) => {
      const row = await inAccount(call, async trx => {
        const row = await changeable(trx, call, id);
        for (const table of ['totp', 'passkey', 'recovery_code'] as const) {
          await trx.deleteFrom(table).where('user_id', '=', id).execute();
        }
        await note(trx, call, row, { action: 'second-factor.reset' });
        return row;
      });
      sendNotice(mailer, { displayName: row.display_name, email: row.email }, 'second-factor-reset');
      await sessions.endOfUser(id);
      return { ok: true as const };
    },
  };
}

const columnsOf = ({ role, customRoleId, scope }: RequestedRights) => ({
  role,
  custom_role_id: customRoleId,
  scope_folders: scope && [...scope.folderIds],
  scope_departments: scope && [...scope.departmentIds],
});

async function columnsOfChange(change: UserChange, rights: RequestedRights) {
  return {
    ...columnsOf(rights),
    ...(change.userName !== undefined && { user_name: change.userName }),
    ...(change.displayName !== undefined && { display_name: change.displayName }),
    ...(change.email !== undefined && { email: change.email }),
    ...(change.phone !== undefined && { phone: change.phone }),
    ...(change.gender !== undefined && { gender: change.gender }),
    ...(change.active !== undefined && { active: change.active }),
    ...(change.expiresAt !== undefined && {
      expires_at: change.expiresAt === null ? null : new Date(change.expiresAt),
    }),
    ...(change.password !== undefined && {
      password_hash: await hashPassword(change.password),
      must_change_password: true,
    }),
  };
}

const stillToCome = (row: UserRow): boolean => row.has_no_password && row.is_invited;

/** An owner who can sign in and whose access has no end date. */
export const isLastingOwner = (row: UserRow): boolean =>
  row.role === 'owner' && row.active && row.expires_at === null && !row.has_no_password;

/** Problem `last-owner`, if there is no other who can sign in without an end date. */
export async function refuseLastOwner(trx: AccountTransaction, id: string): Promise<void> {
  const other = await trx
    .selectFrom('app_user')
    .select('id')
    .where('role', '=', 'owner')
    .where('id', '!=', id)
    .where('active', '=', true)
    .where('expires_at', 'is', null)
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw new AppError('last-owner');
}

async function ownerOf(
  trx: AccountTransaction,
  user: { userName: string; displayName?: string | undefined; email?: string | null | undefined },
) {
  const account = await trx.selectFrom('account').select('name').executeTakeFirstOrThrow();
  return {
    userName: user.userName,
    displayName: user.displayName ?? '',
    email: user.email ?? null,
    organisation: account.name,
  };
}
