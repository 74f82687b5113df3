import { checkInternetStatus, type Me, permissionsOf, readMe, signIn } from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import { bearerToken } from '../../http/authorise.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import { registerApiTokens } from './api-token-routes.ts';
import { createEmailChanges, type EmailChanges } from './email-changes.ts';
import { registerEmail } from './email-routes.ts';
import { type FirstOwner, registerFirstOwner } from './first-owner.ts';
import { createOwnPassword, type OwnPassword } from './own-password.ts';
import { readPreferences } from './preferences.ts';
import { registerProfile } from './profile-routes.ts';
import { registerRecovery } from './recovery-routes.ts';
import { registerSecondFactor } from './second-factor-routes.ts';
import { messagingCredential, type Sessions, tokenAnswer } from './sessions.ts';
import { callerOf, createSignIn, type SignIn } from './sign-in.ts';

const EXPIRY_EVERY_MS = 5000;

export interface Accounts {
  /** Asks for the password again before important changes; wrong tries are counted once for the whole server. */
  readonly ownPassword: OwnPassword;
  /** Links are counted once for the whole server. */
  readonly emails: EmailChanges;
  readonly firstOwner: FirstOwner;
  readonly signIns: SignIn;
}

/** Sign-in, and what belongs to the signed-in user. */
export function registerAccounts(http: Http, context: Context, sessions: Sessions): Accounts {
  const { log } = context;
  const signIns = createSignIn(context, sessions);
  const ownPassword = createOwnPassword(context);

  http.handle(signIn, async ({ body, request }) => tokenAnswer(await signIns.withPassword(body, callerOf(request))));

  http.handle(readMe, ({ session, request }) => me(context, session, request));

  http.handle(checkInternetStatus, () => ({ status: 'ok' as const }));

  const firstOwner = registerFirstOwner(http, context, signIns);

  const emails = createEmailChanges(context);
  registerProfile(http, context, sessions, { ownPassword, emails });
  registerEmail(http, context, emails);
  registerRecovery(http, context, sessions);
  registerSecondFactor(http, context, { ownPassword, signIns });
  registerApiTokens(http, context, sessions, ownPassword);

  const expiry = setInterval(() => {
    sessions.endExpired().catch((error: unknown) => log.warn({ err: error }, 'Could not end expired sessions'));
  }, EXPIRY_EVERY_MS);
  http.onClose(() => clearInterval(expiry));
  return { ownPassword, emails, firstOwner, signIns };
}

async function me({ db }: Context, session: Session, request: FastifyRequest): Promise<Me> {
  const token = bearerToken(request);
  const row = await db.asAccount(session.accountId, trx =>
    trx
      .selectFrom('app_user')
      .innerJoin('account', 'account.id', 'app_user.account_id')
      .leftJoin('custom_role', 'custom_role.id', 'app_user.custom_role_id')
      .select(['app_user.user_name', 'display_name', 'email', 'phone', 'gender', 'image', 'preferences'])
      .select(['account.name', 'account.demo', 'account.operator'])
      .select(['custom_role.id as role_id', 'custom_role.name as role_name'])
      .where('app_user.id', '=', session.userId)
      .executeTakeFirst(),
  );
  if (!row || token === null) throw new AppError('session-ended');
  return {
    id: session.userId,
    userName: row.user_name,
    displayName: row.display_name,
    email: row.email,
    phone: row.phone,
    gender: row.gender,
    image: row.image,
    role: session.role,
    customRole:
      row.role_id !== null && row.role_name !== null ? { id: String(row.role_id), name: row.role_name } : null,
    permissions: [...permissionsOf(session)],
    scope: scopeAnswer(session.scope),
    readOnly: session.readOnly,
    duty: session.duty,
    preferences: readPreferences(row.preferences),
    account: { id: String(session.accountId), name: row.name, demo: row.demo, operator: row.operator },
    messaging: {
      path: '/mqtt',
      clientIdPrefix: session.userId,
      userName: session.userName,
      password: messagingCredential(token),
    },
  };
}

const scopeAnswer = (scope: Session['scope']): Me['scope'] =>
  scope && { folderIds: scope.folderIds.map(String), departmentIds: scope.departmentIds.map(String) };
