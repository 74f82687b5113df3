import {
  changePassword,
  endOtherSessions,
  endSession,
  isOldPassword,
  listSessions,
  updateMe,
} from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { audit, authorOf } from '../audit/audit.ts';
import type { EmailChanges } from './email-changes.ts';
import type { OwnPassword } from './own-password.ts';
import { changeOwnPassword, updateProfile } from './profile.ts';
import { type Sessions, tokenAnswer } from './sessions.ts';

export interface ProfileParts {
  readonly ownPassword: OwnPassword;
  readonly emails: EmailChanges;
}

export function registerProfile(http: Http, context: Context, sessions: Sessions, parts: ProfileParts): void {
  const { db } = context;
  const { ownPassword } = parts;

  http.handle(updateMe, async call => {
    const pendingEmail = await updateProfile(context, parts, call, call.body);
    return { ok: true as const, pendingEmail };
  });

  http.handle(isOldPassword, async call => {
    await ownPassword.confirm(call, call.body.oldPassword, 'oldPassword');
    return { ok: true as const };
  });

  http.handle(changePassword, async call =>
    tokenAnswer(await changeOwnPassword(context, sessions, ownPassword, call, call.body)),
  );

  http.handle(listSessions, ({ session }) =>
    db.asAccount(session.accountId, async trx => {
      const rows = await trx
        .selectFrom('session')
        .select(['id', 'created_at', 'last_seen_at', 'expires_at', 'address', 'user_agent', 'signed_on_with'])
        .where('user_id', '=', session.userId)
        .where('kind', '=', 'browser')
        .where('read_only', '=', false)
        .where('expires_at', '>', new Date())
        .orderBy('last_seen_at', 'desc')
        .execute();
      return rows.map(row => ({
        id: row.id,
        current: row.id === session.sessionId,
        createdAt: row.created_at.toISOString(),
        lastSeenAt: row.last_seen_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
        address: row.address,
        userAgent: row.user_agent,
        signedOnWith: row.signed_on_with,
      }));
    }),
  );

  http.handle(endSession, async call => {
    const { session, params } = call;
    await db.asAccount(session.accountId, async trx => {
      const own = await trx
        .selectFrom('session')
        .select('id')
        .where('id', '=', params.id)
        .where('user_id', '=', session.userId)
        .where('kind', '=', 'browser')
        .executeTakeFirst();
      if (!own) throw new AppError('not-found');
      const target = { id: session.userId, name: session.userName };
      await audit(trx, authorOf(call), { action: 'session.ended', target });
    });
    await sessions.end([params.id]);
    return { deleted: true as const, id: params.id };
  });

  http.handle(endOtherSessions, async call => {
    const { accountId, userId, userName, sessionId } = call.session;
    await db.asAccount(accountId, trx =>
      audit(trx, authorOf(call), { action: 'session.ended', target: { id: userId, name: userName } }),
    );
    return { ended: await sessions.endOfUser(userId, { sessionId }) };
  });
}
