import { type Actor, may, PERMISSIONS_OF_ROLE, type Permission, ROLES, type Route } from '@milepost/contract';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNKNOWN_IDS, type UserWithData, userWithData } from '../../testing/cross-account/account-data.ts';
import type { UserOptions } from '../../testing/cross-account/account-people.ts';
import { lending, manyUsers } from '../../testing/cross-account/many-users.ts';
import { PROBED_ROUTES, probeOf } from '../../testing/cross-account/probes.ts';
import { rowsOf, send, settled } from '../../testing/cross-account/send.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../testing/http-server.ts';
import { REACHES_PROVIDER } from '../../testing/identity-provider.ts';
import { refuseOtherRoutes } from './handle.ts';

/**
 * Invariant I2, for every HTTP route of the contract. The first test fails for a route without a probe in
 * `apps/server/testing/cross-account`, so a new endpoint can't be forgotten.
 */

let server: TestHttpServer;
let operatorAccount: number;
/** Of the callers who change nothing; its owner can be a second person for their commands. */
let callersAccount: number;

beforeAll(async () => {
  // The demo has all optional features.
  server = await startHttpServer({ demo: 'on', ...REACHES_PROVIDER });
  operatorAccount = (await signedIn(server, { operator: true })).accountId;
  callersAccount = (await signedIn(server)).accountId;
});
afterAll(() => server.close());

const routes = PROBED_ROUTES;

/** Routes that only the operator's account may use. */
const isOfOperator = (name: string) =>
  /Unknown(Tracker|Frame)|Map(Choice|File)|RepeatedJob|Backup|listNodes/.test(name);

/** New users for the routes: in the operator's account where it must be, else each in an account of their own. */
function newUsers(options: UserOptions = {}) {
  const ofOperator = manyUsers(
    () => server,
    options,
    () => operatorAccount,
  );
  const ofOthers = manyUsers(() => server, options);
  return (name: string) => (isOfOperator(name) ? ofOperator() : ofOthers());
}
const anOwner = newUsers();
const aDriver = newUsers({ role: 'driver', drives: true });
/** Someone who can make the call: an owner, or a driver where no owner can. */
const someone = (name: string) => (probeOf(name).madeBy === 'driver' ? aDriver(name) : anOwner(name));
const another = manyUsers(() => server);

describe('[R6.04] another account’s data', () => {
  it.each(routes)('%s has a probe, and the probe is a valid call', async (name, route) => {
    const me = await someone(name);
    const answer = await send(server, route, await probeOf(name).call(me, me, server), me.token);
    expect([name, answer.status, answer.text]).toEqual([name, route.status ?? 200, expect.any(String)]);
    if (!route.responseType) expect(route.response.safeParse(answer.body).error).toBeUndefined();
  });

  it.each(routes)('%s neither shows nor changes it', async (name, route) => {
    const other = await another();
    const me = await someone(name);
    const probe = probeOf(name);
    const parts = await probe.call(other, me, server);
    await settled(server, other.accountId, probe);
    const before = await rowsOf(server, other.accountId, probe);
    expect(before).toContain(other.marker);
    const answer = await send(server, route, parts, me.token);
    expect([name, answer.status]).toEqual([name, probe.aboutOthers]);
    expect(answer.text).not.toContain(other.marker);
    expect(answer.text).not.toContain(other.imei);
    expect(await rowsOf(server, other.accountId, probe)).toBe(before);
  });

  it('is answered exactly like data that does not exist', { timeout: 120_000 }, async () => {
    const [other, me] = [await another(), await another()];
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
    // A driver sees only their own vehicle.
    const options = { role, readOnly, drives: role === 'driver' };
    const make = newUsers(options);
    /** For calls that are refused or only read. */
    const withCaller = lending(() => userWithData(server, { ...options, accountId: callersAccount }));
    const withOperator = lending(() => userWithData(server, { ...options, accountId: operatorAccount }));

    const isAllowed = ({ access }: Route): boolean =>
      access === 'public' || access === 'signed-in' || may({ role, readOnly, scope: null }, access);
    // The first test has made these calls as this role.
    const isMade = ([name, route]: (typeof routes)[number]) =>
      !readOnly && role === (probeOf(name).madeBy ?? 'owner') && isAllowed(route);
    // Who only looks may read what their role may read: shown with an owner, with the others in the long tests.
    const isLong = ([, { method }]: (typeof routes)[number]) => readOnly && role !== 'owner' && method === 'GET';
    const open = routes.filter(route => !isMade(route));
    const title = 'decides %s';
    it.each(open.filter(route => !isLong(route)))(title, (name, route) => decide(name, route));
    it.each(open.filter(isLong))(title, { tags: ['long'] }, (name, route) => decide(name, route));

    async function decide(name: string, route: Route): Promise<void> {
      const { access, method } = route;
      const test = async (me: UserWithData) => {
        const answer = await send(server, route, await probeOf(name).call(me, me, server), me.token);
        if (isAllowed(route)) {
          expect([name, answer.status]).toEqual([name, route.status ?? 200]);
        } else {
          const byRole = PERMISSIONS_OF_ROLE[role].includes(access as Permission);
          expect([name, answer.status, answer.body]).toMatchObject([
            name,
            403,
            { code: readOnly && byRole ? 'read-only' : 'not-allowed' },
          ]);
        }
      };
      const isChanged = (isAllowed(route) && method !== 'GET') || probeOf(name).usesUp;
      if (isChanged) await test(await make(name));
      else await (isOfOperator(name) ? withOperator : withCaller)(test);
    }
  });

  const withAnother = lending(another);
  it.each(routes)('requires a session for %s', async (name, route) => {
    const probe = probeOf(name);
    const test = async (of: UserWithData) => {
      const answer = await send(server, route, await probe.call(of, of, server));
      if (route.access === 'public') {
        expect([name, answer.status]).toEqual([name, probe.withoutSession ?? route.status ?? 200]);
      } else expect([name, answer.status, answer.body]).toMatchObject([name, 401, { code: 'not-signed-in' }]);
    };
    await (route.access === 'public' || probe.usesUp ? test(await someone(name)) : withAnother(test));
  });
});

it('refuses routes under /api that are not in the contract', () => {
  const other = { method: 'GET', url: '/api/v1/backdoor', handler: async () => 'open' } as const;
  const fastify = Fastify();
  refuseOtherRoutes(fastify);
  expect(() => fastify.route(other)).toThrow('The contract has no route GET /api/v1/backdoor.');
});
