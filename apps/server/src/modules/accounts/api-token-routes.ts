import { createApiToken, deleteApiToken, listApiTokens, PERMISSIONS, permissionsOf } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import { audit, authorOf } from '../audit/audit.ts';
import type { OwnPassword } from './own-password.ts';
import type { Sessions } from './sessions.ts';

const DAY_MS = 24 * 3_600_000;

export function registerApiTokens(http: Http, context: Context, sessions: Sessions, ownPassword: OwnPassword): void {
  const { db } = context;

  http.handle(listApiTokens, ({ session }) =>
    db.asAccount(session.accountId, async trx => {
      const rows = await trx
        .selectFrom('session')
        .selectAll()
        .where('user_id', '=', session.userId)
        .where('kind', '=', 'api-token')
        .orderBy('created_at')
        .execute();
      return rows.map(row => ({
        id: row.id,
        name: row.name ?? '',
        scopes: PERMISSIONS.filter(permission => row.permissions?.includes(permission)),
        createdAt: row.created_at.toISOString(),
        // Tokens are created with both times equal: a token with equal times was never used.
        lastSeenAt: row.last_seen_at.getTime() === row.created_at.getTime() ? null : row.last_seen_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
      }));
    }),
  );

  http.handle(createApiToken, async call => {
    const { session, body, request } = call;
    await ownPassword.confirm(call, body.password, 'password');
    const held = permissionsOf(session);
    if (!body.scopes.every(scope => held.includes(scope))) throw new AppError('more-than-you-hold');
    const { accountId, userId } = session;
    const scopes = PERMISSIONS.filter(permission => body.scopes.includes(permission));
    const expiresAt = new Date(Date.now() + body.expiresInDays * DAY_MS);
    const { token, sessionId } = await sessions.open({
      accountId,
      userId,
      apiToken: { name: body.name, scopes, expiresAt },
      address: request.ip,
    });
    await db.asAccount(accountId, trx =>
      audit(trx, authorOf(call), {
        action: 'api-token.created',
        target: { id: sessionId, name: body.name },
        changes: [{ field: 'scopes', from: null, to: scopes.join(' ') }],
      }),
    );
    return {
      id: sessionId,
      name: body.name,
      scopes,
      createdAt: new Date().toISOString(),
      lastSeenAt: null,
      expiresAt: expiresAt.toISOString(),
      token,
    };
  });

  http.handle(deleteApiToken, async call => {
    const { session, params } = call;
    await db.asAccount(session.accountId, async trx => {
      const own = await trx
        .selectFrom('session')
        .select('name')
        .where('id', '=', params.id)
        .where('user_id', '=', session.userId)
        .where('kind', '=', 'api-token')
        .executeTakeFirst();
      if (!own) throw new AppError('not-found');
      await audit(trx, authorOf(call), {
        action: 'api-token.deleted',
        target: { id: params.id, name: own.name ?? '' },
      });
    });
    await sessions.end([params.id]);
    return { deleted: true as const, id: params.id };
  });
}
