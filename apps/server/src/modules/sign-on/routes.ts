import {
  deleteSignOn,
  finishSignOn,
  readClientSettings,
  readSignOn,
  readSignOnLink,
  signOut,
  startSignOn,
  trySignOn,
  updateSignOn,
} from '@milepost/contract';
import type { FastifyRequest } from 'fastify';
import { buildEndSessionUrl } from 'openid-client';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { AppError, tooMany } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { Http } from '../../http/server.ts';
import type { Session } from '../../http/session.ts';
import type { FirstOwner } from '../accounts/first-owner.ts';
import { type Sessions, tokenAnswer } from '../accounts/sessions.ts';
import { callerOf, type SignIn } from '../accounts/sign-in.ts';
import { createAddressLimits, createTryLimits } from '../accounts/try-limits.ts';
import { audit, authorOf } from '../audit/audit.ts';
import { by } from '../audit/by.ts';
import { tenantOfHost } from '../tenancy/tenant.ts';
import { beginAttempt, takeAttempt } from './attempts.ts';
import { addressToSignIn, type Checks, lookAt, type Person, Providers, personOf, reasonOf } from './provider.ts';
import { isWebAddress } from './provider-fetch.ts';
import { resolveUser } from './resolve-user.ts';
import {
  accountReach,
  findSignOn,
  REDIRECT_PATH,
  readSignOnSettings,
  removeSignOnSettings,
  type SignOnAccount,
  writeSignOnSettings,
} from './settings.ts';

interface Parts {
  readonly firstOwner: FirstOwner;
  readonly sessions: Sessions;
  readonly signIns: SignIn;
}

/** In 15 minutes from one address: an office that starts its day, not a program that fills the table. */
const STARTS = 300;
const LOOKS_A_MINUTE = 10;
/** Nobody is known until the provider's answer is verified, so tries are counted by address only, as for passkeys. */
const NOBODY = 'sign-on';

/** Single sign-on by OpenID Connect, what the sign-in page shows of it, and signing out. */
export function registerSignOn(http: Http, context: Context, { firstOwner, sessions, signIns }: Parts): void {
  const { config, counters, db, log } = context;
  const { publicUrl } = config.http;
  const providers = new Providers();
  const starts = createAddressLimits(counters, 'sign-on', STARTS);
  const tries = createTryLimits(counters, 'sign-on try', { pair: 20, name: Number.MAX_SAFE_INTEGER });
  const looks = counters.counter('sign-on look', { points: LOOKS_A_MINUTE, duration: 60 });

  const read = (accountId: number) => db.asAccount(accountId, trx => readSignOnSettings(trx, publicUrl));

  http.handle(readSignOn, ({ session }) => read(session.accountId));
  http.handle(updateSignOn, async call => {
    const { accountId } = call.session;
    await db.asAccount(accountId, trx => writeSignOnSettings(trx, by(call), call.body));
    return read(accountId);
  });
  http.handle(deleteSignOn, async call => {
    const { accountId } = call.session;
    await db.asAccount(accountId, trx => removeSignOnSettings(trx, by(call)));
    return read(accountId);
  });
  http.handle(trySignOn, async call => {
    const { accountId } = call.session;
    const { issuer } = call.body;
    await looks.consume(accountId).catch((refusal: unknown) => {
      throw refusal instanceof RateLimiterRes ? tooMany('too-many-requests', refusal.msBeforeNext) : refusal;
    });
    const reach = await accountReach(context, accountId);
    // Not from the cache: the user who tries it has just changed something there.
    const looked = await lookAt(new Providers(), { issuer, clientId: '-', secret: null, reach });
    const target = { id: accountId, name: new URL(issuer).host };
    await db.asAccount(accountId, trx => audit(trx, by(call).author, { action: 'sign-on.tried', target }));
    return looked;
  });

  /** Of the account whose sign-in page this host name shows. A public demo lets nobody else in. */
  const ofHost = async (request: FastifyRequest): Promise<SignOnAccount | null> => {
    const tenant = context.demo === 'public' ? null : await tenantOfHost(context, request.hostname);
    return tenant && findSignOn(context, { accountId: tenant.id });
  };
  const ofLink = (link: string): Promise<SignOnAccount | null> =>
    context.demo === 'public' ? Promise.resolve(null) : findSignOn(context, { link });

  http.handle(readClientSettings, async ({ request }) => ({
    version: config.version,
    appName: 'Milepost',
    demo: context.demo === 'on',
    demoVisit: context.demo !== 'off',
    needsOwner: await firstOwner.isNeeded(),
    signOn: (await ofHost(request))?.settings.label ?? null,
  }));

  http.handle(readSignOnLink, async ({ params, request }) => {
    await starts.count(request.ip);
    const account = await ofLink(params.key);
    if (!account) throw new AppError('sign-on-off');
    return { organization: account.organization, label: account.settings.label };
  });

  http.handle(startSignOn, async ({ body, reply, request }) => {
    await starts.count(request.ip);
    const account = await (body.key === undefined ? ofHost(request) : ofLink(body.key));
    if (!account) throw new AppError('sign-on-off');
    const { accountId, client, origins, settings } = account;
    const [first = ''] = origins;
    const origin = request.headers.origin ?? new URL(publicUrl).origin;
    // The cookie stays with this host name, and the provider comes back to one that is registered.
    if (!origins.includes(origin)) throw new AppError('sign-on-elsewhere', { address: `${first}/login` });
    const configuration = await providers.read(client).catch((error: unknown) => {
      log.warn({ err: error, accountId }, 'The identity provider could not be read');
      throw new AppError('sign-on-down');
    });
    const redirectUri = origin + REDIRECT_PATH;
    const { issuer } = settings;
    const { checks, cookie } = await beginAttempt(db.system, { accountId, issuer, redirectUri, returnTo: body.from });
    reply.header('set-cookie', cookie);
    return { url: (await addressToSignIn(configuration, settings.scopes, checks)).href };
  });

  const verified = async (account: SignOnAccount, answer: string, attempt: Checks): Promise<Person> => {
    const configuration = await providers.read(account.client).catch((error: unknown) => {
      const problem = new AppError('sign-on-down');
      problem.cause = error;
      throw problem;
    });
    return personOf(configuration, answer, attempt, account.settings.groups_claim);
  };

  const enter = async (account: SignOnAccount, person: Person, request: FastifyRequest) => {
    const { user, refusal } = await resolveUser(context, account, person, request.ip);
    const { accountId, settings } = account;
    if (refusal) {
      // Whoever has lost their groups loses what is open, too.
      if (refusal === 'sign-on-no-role') await sessions.endOfUser(user.id);
      const author = {
        accountId,
        userId: user.id,
        userName: user.user_name,
        via: 'sign-in' as const,
        address: request.ip,
      };
      const changes = [{ field: 'with', from: null, to: `single sign-on: ${refusal}` }];
      const target = { id: user.id, name: user.user_name };
      await audit(db.system, author, { action: 'session.refused', target, changes });
      throw new AppError(refusal);
    }
    await context.feed.settled();
    const secondFactor = person.secondFactor || settings.trust_second_factor;
    const how = `single sign-on (${new URL(person.issuer).host})`;
    return signIns.forUser(user.id, how, callerOf(request), { signedOn: { with: settings.label, secondFactor } });
  };

  http.handle(finishSignOn, async ({ body, request }) => {
    await tries.count(NOBODY, request.ip);
    const attempt = await takeAttempt(db.system, body.answer, request.headers.cookie);
    const account = await findSignOn(context, { accountId: attempt.accountId });
    if (!account || context.demo === 'public') throw new AppError('sign-on-off');
    // It was changed meanwhile: this code is not for the provider of now.
    if (account.settings.issuer !== attempt.issuer) throw new AppError('sign-on-over');
    const session = await verified(account, body.answer, attempt)
      .then(person => enter(account, person, request))
      .catch((error: unknown) => {
        const code = error instanceof AppError ? error.code : String(error);
        log.warn({ code, reason: reasonOf(error), accountId: account.accountId }, 'A single sign-on failed');
        throw error;
      });
    await tries.forgive(NOBODY, request.ip);
    return { ...tokenAnswer(session), from: attempt.returnTo };
  });

  /** Where the provider ends its session (OpenID Connect RP-Initiated Logout 1.0); null if it is not to, or can't. */
  const signOutAddress = async ({ accountId, sessionId }: Session, request: FastifyRequest): Promise<string | null> => {
    const row = await db.asAccount(accountId, trx =>
      trx.selectFrom('session').select('signed_on_with').where('id', '=', sessionId).executeTakeFirst(),
    );
    if (!row?.signed_on_with) return null;
    const account = await findSignOn(context, { accountId });
    if (!account?.settings.sign_out_too) return null;
    const { client, origins } = account;
    const configuration = await providers.read(client).catch(() => null);
    const end = configuration?.serverMetadata().end_session_endpoint;
    if (!configuration || !end || !isWebAddress(end, client.reach)) return null;
    const origin = origins.find(each => each === request.headers.origin) ?? origins[0];
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri: `${origin}/login` }).href;
  };

  http.handle(signOut, async call => {
    const { session, request } = call;
    if (session.kind === 'api-token') throw new AppError('sign-in-needed');
    await db.asAccount(session.accountId, trx =>
      audit(trx, authorOf(call), {
        action: 'session.ended',
        target: { id: session.userId, name: session.userName },
      }),
    );
    const next = await signOutAddress(session, request);
    await sessions.end([session.sessionId]);
    return { ok: true as const, next };
  });
}
