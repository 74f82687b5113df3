import { randomBytes, randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { createAccount } from '../../src/modules/accounts/accounts.ts';
import { hashOf } from '../../src/modules/accounts/email-changes.ts';
import { hashPassword } from '../../src/modules/accounts/password.ts';
import { TEST_CONFIG } from '../context.ts';
import type { TestHttpServer } from '../http-server.ts';
import { passkeyOf, passkeySignInOf } from '../soft-passkey.ts';
import type { UserWithData } from './account-data.ts';
import { namesNothing, ownThing, type Probe, type Probes } from './probe.ts';

const ORIGIN = new URL(TEST_CONFIG.http.publicUrl).origin;
const withPassword = ownThing(({ password }) => ({ password }));

/** Removes the passkey, which sign-in would ask for. */
async function withoutSecondFactor({ userId }: UserWithData, { context }: TestHttpServer): Promise<void> {
  await context.db.system.deleteFrom('passkey').where('user_id', '=', userId).execute();
}

/** Gives a user an authenticator app. */
async function givenApp(
  { context }: TestHttpServer,
  { accountId, userId }: UserWithData,
  confirmedAt: Date | null,
): Promise<Secret> {
  const secret = new Secret({ size: 20 });
  await context.db.system
    .insertInto('totp')
    .values({ user_id: userId, account_id: accountId, secret: Buffer.from(secret.bytes), confirmed_at: confirmedAt })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  return secret;
}

async function recoveryOf(userId: string, code: string, { context }: TestHttpServer) {
  return context.db.system
    .insertInto('password_recovery')
    .values({
      token: randomUUID(),
      user_id: userId,
      code_hash: await hashPassword(code),
      expires_at: new Date(Date.now() + 600_000),
    })
    .returning(['id', 'token'])
    .executeTakeFirstOrThrow();
}

/** A pending email address; returns the token of its link. */
async function emailLinkOf({ accountId, userId, marker }: UserWithData, { context }: TestHttpServer): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const row = { token_hash: hashOf(token), sent_at: new Date(), expires_at: new Date(Date.now() + 600_000) };
  await context.db.system
    .insertInto('email_change')
    .values({ user_id: userId, account_id: accountId, email: `${marker}@example.com`, ...row })
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(row))
    .execute();
  return token;
}

/** Changes the caller's own pending address; other users' pending addresses must stay. */
const ownEmailChange: Probe = {
  call: async (of, caller, server) => {
    await emailLinkOf(of, server);
    await emailLinkOf(caller, server);
    return {};
  },
  aboutOthers: 200,
};

const recovery = (code: string, finish: (proof: string, id: string) => object | null): Probe => ({
  call: async (of, caller, server) => {
    const { id, token } = await recoveryOf(of.userId, '123456', server);
    const given = of === caller ? '123456' : code;
    const next = finish('', id);
    if (next === null) return { params: { id, token }, body: { code: given } };
    const { body } = await server.call('POST', `/api/v1/verify-code/${id}/${token}`, { body: { code: given } });
    const proof = (body as { data?: { proof: string } }).data?.proof ?? 'none';
    return finish(proof, id) ?? {};
  },
  aboutOthers: 400,
});

export const accountProbes: Probes = {
  signIn: {
    call: async (of, caller, server) => {
      await withoutSecondFactor(of, server);
      return { body: { userName: of.userName, password: of === caller ? caller.password : 'not the password' } };
    },
    aboutOthers: 401,
    isNoted: true,
  },
  signOut: namesNothing,
  readMe: namesNothing,
  checkInternetStatus: namesNothing,
  readClientSettings: namesNothing,

  enterDemo: {
    call: async (_of, _caller, { context }) => {
      const demo = context.db.system.selectFrom('account').select('id').where('demo', '=', true);
      if (!(await demo.executeTakeFirst())) await createAccount(context.db, { name: 'Demo', demo: true });
      return {};
    },
    aboutOthers: 201,
  },

  updateMe: ownThing(() => ({ displayName: 'Renamed', preferences: { appearance: 'dark' } })),
  readEmail: ownEmailChange,
  sendEmailLink: ownEmailChange,
  cancelEmailChange: ownEmailChange,
  confirmEmail: {
    call: async (of, caller, server) => {
      const token = await emailLinkOf(of, server);
      return { body: { token: of === caller ? token : randomBytes(32).toString('base64url') } };
    },
    aboutOthers: 400,
  },
  isOldPassword: ownThing(({ password }) => ({ oldPassword: password })),
  changePassword: ownThing(({ password }) => ({
    oldPassword: password,
    newPassword: 'another sentence nobody guesses',
  })),
  listSessions: namesNothing,
  endSession: { call: ({ sessionId }) => ({ params: { id: sessionId } }), aboutOthers: 404 },
  endOtherSessions: namesNothing,

  forgotPassword: {
    call: ({ userName }) => ({ body: { userName } }),
    // The answer is the same whether the user exists or not.
    aboutOthers: 200,
    isNoted: true,
  },
  verifyCode: recovery('654321', () => null),
  resetPassword: recovery('654321', (proof, id) => ({
    params: { id },
    body: { proof, password: 'another sentence nobody guesses' },
  })),

  readSecondFactor: namesNothing,
  startTotp: withPassword,
  confirmTotp: {
    call: async (_of, caller, server) => {
      const secret = await givenApp(server, caller, null);
      return { body: { code: new TOTP({ secret }).generate() } };
    },
    aboutOthers: 200,
  },
  removeTotp: {
    call: async (_of, caller, server) => {
      await givenApp(server, caller, new Date());
      return { body: { password: caller.password } };
    },
    aboutOthers: 200,
  },
  renewRecoveryCodes: withPassword,
  startPasskey: withPassword,
  finishPasskey: {
    call: async (of, caller, { context }) => ({
      body: await passkeyOf(context.db.system, of === caller ? caller.userId : of.userId, ORIGIN),
    }),
    // The challenge belongs to another user.
    aboutOthers: 400,
  },
  renamePasskey: {
    call: ({ passkeyId }) => ({ params: { id: passkeyId }, body: { name: 'Renamed' } }),
    aboutOthers: 404,
  },
  removePasskey: {
    call: ({ passkeyId }, { password }) => ({ params: { id: passkeyId }, body: { password } }),
    aboutOthers: 404,
  },

  startPasskeySignIn: namesNothing,
  signInWithPasskey: {
    call: async (of, caller, { context }) => {
      const body = await passkeySignInOf(context.db.system, of, ORIGIN);
      return { body: of === caller ? body : { ...body, response: { ...body.response, id: caller.marker } } };
    },
    aboutOthers: 400,
  },

  listApiTokens: namesNothing,
  createApiToken: ownThing(
    ({ password }) => ({ password, name: 'Export', scopes: ['vehicles.read'], expiresInDays: 30 }),
    201,
  ),
  deleteApiToken: { call: ({ apiTokenId }) => ({ params: { id: apiTokenId } }), aboutOthers: 404 },
};
