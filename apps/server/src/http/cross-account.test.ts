import { type Actor, may, PERMISSIONS_OF_ROLE, ROLES, ROUTES, type Route } from '@milepost/contract';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../testing/http-server.ts';
import { NOBODYS, somebodyWithData, type Wishes } from './cross-account/belongings.ts';
import type { RequestParts } from './cross-account/probe.ts';
import { probeOf } from './cross-account/probes.ts';
import { refuseOtherRoutes } from './handle.ts';

/**
 * Invariant I2, for every HTTP route of the contract. A route that has no probe in `cross-account/` fails the first
 * test; so a new endpoint can't be forgotten.
 */

let server: TestHttpServer;
let operatorAccount: number;

beforeAll(async () => {
  server = await startHttpServer();
  operatorAccount = (await signedIn(server, { operator: true })).accountId;
});
afterAll(() => server.close());

const routes = Object.entries(ROUTES);

function send(route: Route, { params = {}, query, body }: RequestParts, token?: string) {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  const search = query ? `?${new URLSearchParams(query)}` : '';
  return server.call(route.method, path + search, {
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body }),
  });
}

/** Made for this route: in the operator's account where it is only for that one. */
const somebody = (name: string, wishes: Wishes = {}) =>
  somebodyWithData(server, {
    signsIn: name === 'signIn',
    ...(name === 'listUnknownTrackers' && { accountId: operatorAccount }),
    ...wishes,
  });

async function makeDriver(driverId: string, userId: string): Promise<void> {
  const { db, signals } = server.context;
  await db.system.updateTable('driver').set({ user_id: userId }).where('id', '=', Number(driverId)).execute();
  signals.emit('organisation-changed', { accountId: operatorAccount });
  await server.organisation.roster.settled();
}

/** Every row of an account, in every table that has accounts. */
async function everythingOf(accountId: number): Promise<string> {
  const { system } = server.context.db;
  const { rows: tables } = await sql<{ table_name: string }>`
    select table_name from information_schema.columns
    where column_name = 'account_id' and table_schema = 'public' order by 1`.execute(system);
  const contents = await Promise.all(
    tables.map(async ({ table_name: table }) => {
      const { rows } = await sql<{ row: string }>`
        select to_jsonb(t)::text as row from ${sql.table(table)} t where account_id = ${accountId} order by 1`.execute(
        system,
      );
      return [table, rows.map(({ row }) => row)];
    }),
  );
  return JSON.stringify(contents);
}

describe('[R6.04] what another account has', () => {
  it.each(routes)('%s has a probe, and the probe is a good call', async (name, route) => {
    const me = await somebody(name);
    const answer = await send(route, probeOf(name).call(me, me), me.token);
    expect([name, answer.status, answer.text]).toEqual([name, route.status ?? 200, expect.any(String)]);
    expect(route.response.safeParse(answer.body).success).toBe(true);
  });

  it.each(routes)('%s neither shows nor changes it', async (name, route) => {
    const other = await somebodyWithData(server, { signsIn: name === 'signIn' });
    const me = await somebody(name);
    const before = await everythingOf(other.accountId);
    expect(before).toContain(other.marker);
    const answer = await send(route, probeOf(name).call(other, me), me.token);
    expect([name, answer.status]).toEqual([name, probeOf(name).aboutOthers]);
    expect(answer.text).not.toContain(other.marker);
    expect(answer.text).not.toContain(other.imei);
    expect(await everythingOf(other.accountId)).toBe(before);
  });

  it('is not there, in the same words as what does not exist at all', async () => {
    const [other, me] = [await somebodyWithData(server), await somebodyWithData(server)];
    for (const [name, route] of routes.filter(([name]) => probeOf(name).aboutOthers === 404)) {
      const theirs = await send(route, probeOf(name).call(other, me), me.token);
      const nobodys = await send(route, probeOf(name).call({ ...other, ...NOBODYS }, me), me.token);
      const words = ({ body }: { readonly body: unknown }) => ({ ...(body as object), instance: '' });
      expect([name, theirs.status, words(theirs)]).toEqual([name, nobodys.status, words(nobodys)]);
    }
  });
});

describe('[R6.03] the table of permissions', () => {
  const actors: Actor[] = [
    ...ROLES.map(role => ({ role, readOnly: false })),
    ...ROLES.map(role => ({ role, readOnly: true })),
  ];
  const nameOf = ({ role, readOnly }: Actor) => (readOnly ? `${role} who only looks` : role);

  describe.each(actors.map(actor => [nameOf(actor), actor] as const))('for %s', (_, actor) => {
    it.each(routes)('decides %s', async (name, route) => {
      const of = await somebody(name, { accountId: operatorAccount });
      const caller = await signedIn(server, { accountId: operatorAccount, ...actor });
      // A driver sees the vehicle that is theirs.
      if (actor.role === 'driver') await makeDriver(of.driverId, caller.userId);
      const answer = await send(route, probeOf(name).call(of, of), caller.token);
      const { access } = route;
      if (access === 'public' || access === 'signed-in' || may(actor, access)) {
        expect([name, answer.status]).toEqual([name, route.status ?? 200]);
      } else {
        const byRole = PERMISSIONS_OF_ROLE[actor.role].includes(access);
        expect([name, answer.status, answer.body]).toMatchObject([
          name,
          403,
          { code: actor.readOnly && byRole ? 'read-only' : 'not-allowed' },
        ]);
      }
    });
  });

  it.each(routes)('asks for a session before %s', async (name, route) => {
    const of = await somebody(name);
    const answer = await send(route, probeOf(name).call(of, of));
    if (route.access === 'public') expect(answer.status).toBe(200);
    else expect([name, answer.status, answer.body]).toMatchObject([name, 401, { code: 'not-signed-in' }]);
  });
});

it('lets nobody answer under /api what the contract does not know', () => {
  const other = { method: 'GET', url: '/api/v1/backdoor', handler: async () => 'open' } as const;
  const fastify = Fastify();
  refuseOtherRoutes(fastify);
  expect(() => fastify.route(other)).toThrow('The contract has no route GET /api/v1/backdoor.');
});
