import { type Actor, may, PERMISSIONS_OF_ROLE, ROLES, ROUTES } from '@milepost/contract';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../testing/http-server.ts';
import { UNKNOWN_IDS, type UserOptions, userWithData } from './cross-account/account-data.ts';
import { once } from './cross-account/limited.ts';
import { probeOf } from './cross-account/probes.ts';
import { rowsOf, send } from './cross-account/send.ts';
import { refuseOtherRoutes } from './handle.ts';

/**
 * Invariant I2, for every HTTP route of the contract. A route that has no probe in `cross-account/` fails the first
 * test; so a new endpoint can't be forgotten.
 */

let server: TestHttpServer;
let operatorAccount: number;

beforeAll(async () => {
  // Where there is everything that can be asked for.
  server = await startHttpServer({ demo: 'on' });
  operatorAccount = (await signedIn(server, { operator: true })).accountId;
});
afterAll(() => server.close());

const routes = Object.entries(ROUTES);

/** In the operator's account where a route is only for that one. */
const somebody = (name: string, options: UserOptions = {}) =>
  userWithData(server, {
    ...(/Unknown(Tracker|Frame)|Map(Choice|File)/.test(name) && { accountId: operatorAccount }),
    ...options,
  });

async function makeDriver(driverId: string, userId: string): Promise<void> {
  const { db, feed } = server.context;
  await db.system.updateTable('driver').set({ user_id: userId }).where('id', '=', Number(driverId)).execute();
  await feed.settled();
  await server.organisation.roster.settled();
}

describe('[R6.04] what another account has', () => {
  it.each(routes)('%s has a probe, and the probe is a good call', async (name, route) => {
    const me = await somebody(name);
    const answer = await send(server, route, await probeOf(name).call(me, me, server), me.token);
    expect([name, answer.status, answer.text]).toEqual([name, route.status ?? 200, expect.any(String)]);
    if (!route.responseType) expect(route.response.safeParse(answer.body).error).toBeUndefined();
  });

  it.each(routes)('%s neither shows nor changes it', async (name, route) => {
    const other = await userWithData(server);
    const me = await somebody(name);
    const probe = probeOf(name);
    const parts = await probe.call(other, me, server);
    const before = await rowsOf(server, other.accountId, probe);
    expect(before).toContain(other.marker);
    const answer = await send(server, route, parts, me.token);
    expect([name, answer.status]).toEqual([name, probe.aboutOthers]);
    expect(answer.text).not.toContain(other.marker);
    expect(answer.text).not.toContain(other.imei);
    expect(await rowsOf(server, other.accountId, probe)).toBe(before);
  });

  it('is not there, in the same words as what does not exist at all', async () => {
    const [other, me] = [await userWithData(server), await userWithData(server)];
    for (const [name, route] of routes.filter(([name]) => probeOf(name).aboutOthers === 404)) {
      const theirs = await send(server, route, await probeOf(name).call(other, me, server), me.token);
      const nobodys = await send(
        server,
        route,
        await probeOf(name).call({ ...other, ...UNKNOWN_IDS }, me, server),
        me.token,
      );
      const words = ({ body }: { readonly body: unknown }) => ({ ...(body as object), instance: '' });
      expect([name, theirs.status, words(theirs)]).toEqual([name, nobodys.status, words(nobodys)]);
    }
  });
});

describe('[R6.03] the table of permissions', () => {
  const actors: Actor[] = [
    ...ROLES.map(role => ({ role, readOnly: false, scope: null })),
    ...ROLES.map(role => ({ role, readOnly: true, scope: null })),
  ];
  const nameOf = ({ role, readOnly }: Actor) => (readOnly ? `${role} who only looks` : role);

  describe.each(actors.map(actor => [nameOf(actor), actor] as const))('for %s', (_, { role, readOnly }) => {
    const make = async (name: string) => {
      const me = await somebody(name, { accountId: operatorAccount, role, readOnly });
      // A driver sees the vehicle that is theirs.
      if (role === 'driver') await makeDriver(me.driverId, me.userId);
      return me;
    };
    const unchanged = once(() => make('for calls that leave everything as it is'));

    it.each(routes)('decides %s', async (name, route) => {
      const { access, method } = route;
      const isAllowed = access === 'public' || access === 'signed-in' || may({ role, readOnly, scope: null }, access);
      const me = await (isAllowed && method !== 'GET' ? make(name) : unchanged());
      const answer = await send(server, route, await probeOf(name).call(me, me, server), me.token);
      if (isAllowed) {
        expect([name, answer.status]).toEqual([name, route.status ?? 200]);
      } else {
        const byRole = PERMISSIONS_OF_ROLE[role].includes(access);
        expect([name, answer.status, answer.body]).toMatchObject([
          name,
          403,
          { code: readOnly && byRole ? 'read-only' : 'not-allowed' },
        ]);
      }
    });
  });

  const unchanged = once(() => somebody('for calls that are refused'));
  it.each(routes)('asks for a session before %s', async (name, route) => {
    const of = await (route.access === 'public' ? somebody(name) : unchanged());
    const probe = probeOf(name);
    const answer = await send(server, route, await probe.call(of, of, server));
    if (route.access === 'public') {
      expect([name, answer.status]).toEqual([name, probe.withoutSession ?? route.status ?? 200]);
    } else expect([name, answer.status, answer.body]).toMatchObject([name, 401, { code: 'not-signed-in' }]);
  });
});

it('lets nobody answer under /api what the contract does not know', () => {
  const other = { method: 'GET', url: '/api/v1/backdoor', handler: async () => 'open' } as const;
  const fastify = Fastify();
  refuseOtherRoutes(fastify);
  expect(() => fastify.route(other)).toThrow('The contract has no route GET /api/v1/backdoor.');
});
