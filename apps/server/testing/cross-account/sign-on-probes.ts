import { createHash, randomUUID } from 'node:crypto';
import type { TestHttpServer } from '../http-server.ts';
import { beginSignOn, IdentityProvider, signOnSettings, throughProvider } from '../identity-provider.ts';
import { UNKNOWN_IDS, type UserWithData } from './account-data.ts';
import { namesNothing, type Probe, type Probes } from './probe.ts';

let shared: Promise<IdentityProvider> | null = null;
const provider = (): Promise<IdentityProvider> => {
  shared ??= IdentityProvider.start();
  return shared;
};

/** Their provider, under their name; returns the key of their link. What is off, nobody else can use. */
async function setUp({ context }: TestHttpServer, of: UserWithData, isOn: boolean): Promise<string> {
  if (of.vehicleId === UNKNOWN_IDS.vehicleId) return randomUUID();
  const { system } = context.db;
  const { clientId, clientSecret, defaultRole, groupsClaim, scopes } = signOnSettings({ issuer: '' });
  const row = {
    ...{ is_on: isOn, label: of.marker, issuer: (await provider()).issuer, client_id: clientId, scopes },
    ...{ groups_claim: groupsClaim, groups: '[]', default_role: defaultRole as 'viewer', domains: [] },
    ...{ create_users: true, match_by_email: false, passwords: 'everyone' as const, trust_second_factor: true },
    sign_out_too: false,
  };
  const { link } = await system
    .insertInto('sign_on')
    .values({ account_id: of.accountId, ...row })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(row))
    .returning('link')
    .executeTakeFirstOrThrow();
  await system
    .insertInto('sign_on_secret')
    .values({ account_id: of.accountId, secret: clientSecret })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  return link;
}

const settings = async () => signOnSettings(await provider());

/** Anyone who has an account's link may begin there; the link of an account that is off leads nowhere. */
const byLink = (parts: (key: string) => object): Probe => ({
  call: async (of, caller, server) => parts(await setUp(server, of, of === caller)),
  aboutOthers: 404,
  outOfScope: 404,
});

export const signOnProbes: Probes = {
  readSignOn: {
    ...namesNothing,
    call: async (of, _, server) => {
      await setUp(server, of, true);
      return {};
    },
  },
  updateSignOn: { call: async () => ({ body: await settings() }), aboutOthers: 200 },
  deleteSignOn: namesNothing,
  trySignOn: { call: async () => ({ body: { issuer: (await provider()).issuer } }), aboutOthers: 200 },
  readSignOnLink: byLink(key => ({ params: { key } })),
  startSignOn: byLink(key => ({ body: { key } })),
  finishSignOn: {
    call: async (of, caller, server) => {
      const identities = await provider();
      const key = await setUp(server, caller, true);
      identities.visitor = { sub: randomUUID() };
      const { cookie, url } = await beginSignOn(server, { key });
      const answer = await throughProvider(url);
      if (of === caller) return { body: { answer }, headers: { cookie } };
      // The state of a sign-in that someone else has begun.
      const state = randomUUID();
      if (of.vehicleId !== UNKNOWN_IDS.vehicleId) {
        await server.context.db.system
          .insertInto('sign_on_attempt')
          .values({
            ...{ state_hash: createHash('sha256').update(state).digest(), browser_hash: Buffer.from(randomUUID()) },
            ...{ account_id: of.accountId, issuer: identities.issuer, nonce: of.marker, code_verifier: of.marker },
            ...{ redirect_uri: 'http://localhost:8080/sign-on', return_to: '/' },
            expires_at: new Date(Date.now() + 600_000),
          })
          .execute();
      }
      return { body: { answer: answer.replace(/state=[^&]*/, `state=${state}`) }, headers: { cookie } };
    },
    aboutOthers: 400,
  },
};
