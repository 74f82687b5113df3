import { type Actor, may, PERMISSIONS_OF_ROLE, ROLES, ROUTES, type Route } from '@milepost/contract';
import Fastify from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUser } from '../modules/accounts/accounts.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../testing/http-server.ts';
import { testImei } from '../testing/imei.ts';
import { receivedPosition, storePositions } from '../testing/stored-positions.ts';
import { refuseOtherRoutes } from './handle.ts';

/**
 * Invariant I2, for every HTTP route of the contract. A route that has no probe here fails the first test; so a new
 * endpoint can't be forgotten.
 */

interface Belongings {
  readonly accountId: number;
  readonly vehicleId: string;
  readonly imei: string;
  readonly userName: string;
  readonly password: string;
}

interface Probe {
  /** A good call about what `of` has, made by `caller`; when both are the same it succeeds. */
  readonly call: (of: Belongings, caller: Belongings) => RequestParts;
  /** Status when it is about what another account has. 200 for calls that name nothing of anybody. */
  readonly aboutOthers: number;
}

interface RequestParts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const byId: Probe['call'] = ({ vehicleId }) => ({ params: { id: vehicleId } });
const namesNothing: Probe = { call: () => ({}), aboutOthers: 200 };
const YESTERDAY = { from: new Date(Date.now() - 86_400_000).toISOString(), to: new Date().toISOString() };

const PROBES: Readonly<Record<string, Probe>> = {
  signIn: {
    call: (of, caller) => ({ body: { userName: of.userName, password: caller.password } }),
    aboutOthers: 401,
  },
  signOut: namesNothing,
  readMe: namesNothing,
  checkInternetStatus: namesNothing,
  readClientSettings: namesNothing,
  listVehicles: namesNothing,
  readVehicle: { call: byId, aboutOthers: 404 },
  createVehicle: {
    // An IMEI is unique in the whole installation; that it is taken is all that is said.
    call: (of, caller) => {
      const imei = of === caller ? testImei(Number(of.vehicleId) + 10_000) : of.imei;
      return { body: { imei, deviceName: `Another ${imei}` } };
    },
    aboutOthers: 409,
  },
  updateVehicle: {
    call: ({ vehicleId }) => ({
      params: { id: vehicleId },
      body: { deviceName: `Renamed ${vehicleId}`, plate: 'MINE' },
    }),
    aboutOthers: 404,
  },
  deleteVehicle: { call: byId, aboutOthers: 404 },
  renewDeviceKey: { call: byId, aboutOthers: 404 },
  importVehicles: {
    call: (of, caller) => {
      const imei = of === caller ? testImei(Number(of.vehicleId) + 20_000) : of.imei;
      return { query: { dryRun: 'false' }, body: `imei,deviceName\n${imei},Imported ${imei}\n` };
    },
    aboutOthers: 422,
  },
  // Of no account. The caller's account runs the installation; the other case is in the vehicles' own tests.
  listUnknownTrackers: namesNothing,
  readVehicleDay: {
    call: ({ vehicleId }) => ({ params: { id: vehicleId }, query: YESTERDAY }),
    aboutOthers: 404,
  },
  latestPositions: namesNothing,
  listPositions: {
    call: ({ vehicleId }) => ({ query: { deviceId: vehicleId, ...YESTERDAY } }),
    aboutOthers: 404,
  },
  listMessages: { call: byId, aboutOthers: 404 },
};

let server: TestHttpServer;
let count = 0;
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

function probeOf(name: string): Probe {
  const probe = PROBES[name];
  if (!probe) throw new Error(`The route ${name} has no probe. Say in PROBES how it is called and what others get.`);
  return probe;
}

/** Somebody with a vehicle, positions and a name that stands in every row of theirs. */
async function somebodyWithData(
  options: { accountId?: number } = {},
): Promise<SignedIn & Belongings & { marker: string }> {
  const marker = `marker${++count}x`;
  const somebody = await signedIn(server, options);
  const { context, directory } = server;
  const { accountId } = somebody;
  const userName = `${marker}-user`;
  const password = `${marker} and a password`;
  await createUser(context.db, { accountId, userName, displayName: marker, role: 'owner', password });
  const imei = testImei(3000 + count);
  const { id } = await context.db.system
    .insertInto('vehicle')
    .values({
      account_id: accountId,
      imei,
      name: marker,
      plate: marker.slice(0, 15),
      device_key_hash: Buffer.alloc(32),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  context.signals.emit('vehicle-changed', { vehicleId: id, accountId, imei });
  await directory.settled();
  const hourAgo = Date.now() - 3_600_000;
  await storePositions(server, accountId, id, [
    receivedPosition(hourAgo, { rfid: marker }),
    receivedPosition(hourAgo + 1e4),
  ]);
  return { ...somebody, vehicleId: String(id), imei, userName, password, marker };
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
    const me = await somebodyWithData(name === 'listUnknownTrackers' ? { accountId: operatorAccount } : {});
    const answer = await send(route, probeOf(name).call(me, me), me.token);
    expect([name, answer.status, answer.text]).toEqual([name, route.status ?? 200, expect.any(String)]);
    expect(route.response.safeParse(answer.body).success).toBe(true);
  });

  it.each(routes)('%s neither shows nor changes it', async (name, route) => {
    const other = await somebodyWithData();
    const me = await somebodyWithData(name === 'listUnknownTrackers' ? { accountId: operatorAccount } : {});
    const before = await everythingOf(other.accountId);
    expect(before).toContain(other.marker);
    const answer = await send(route, probeOf(name).call(other, me), me.token);
    expect([name, answer.status]).toEqual([name, probeOf(name).aboutOthers]);
    expect(answer.text).not.toContain(other.marker);
    expect(answer.text).not.toContain(other.imei);
    expect(await everythingOf(other.accountId)).toBe(before);
  });

  it('is not there, in the same words as what does not exist at all', async () => {
    const [other, me] = [await somebodyWithData(), await somebodyWithData()];
    for (const [name, route] of routes.filter(([name]) => probeOf(name).aboutOthers === 404)) {
      const theirs = await send(route, probeOf(name).call(other, me), me.token);
      const nobodys = await send(route, probeOf(name).call({ ...other, vehicleId: '2000000000' }, me), me.token);
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
      const of = await somebodyWithData({ accountId: operatorAccount });
      const caller = await signedIn(server, { accountId: operatorAccount, ...actor });
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
    const of = await somebodyWithData();
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
