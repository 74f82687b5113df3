import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { testContext } from '../../../testing/context.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { addVehicle } from '../../../testing/ingest.ts';
import { LocalBus } from '../../bus/local-bus.ts';
import { createSignals, type SignalMap } from '../../lifecycle/signals.ts';
import { createAccount } from '../../modules/accounts/accounts.ts';
import { SharedWays } from './shared-ways.ts';
import type { Way } from './ways.ts';

/** Two nodes that hear each other only by the database. */

const log = pino({ level: 'silent' });
const WAIT = { timeout: 20_000 };
let database: TestDatabase;
let accountId: number;
let vehicleId: number;
const open: SharedWays[] = [];

beforeAll(async () => {
  database = await testDatabase();
  accountId = await createAccount(database.databases, { name: 'A fleet' });
});
beforeEach(async () => {
  vehicleId = (await addVehicle(testContext(database.databases), accountId)).id;
});
afterEach(async () => {
  for (const ways of open.splice(0)) await ways.stop();
});
afterAll(() => database.close());

async function aNode() {
  const bus = new LocalBus(log);
  const signals = createSignals(log);
  const gained: SignalMap['commands-gained'][] = [];
  signals.on('commands-gained', event => gained.push(event));
  const state = { isKnown: true, isSilent: false };
  const closed: string[] = [];
  const ways = new SharedWays({
    ...{ pool: database.databases.pool, bus, log, signals },
    isKnown: () => state.isKnown,
    isSilent: () => state.isSilent,
  });
  open.push(ways);
  await database.databases.system
    .insertInto('node')
    .values({ id: bus.nodeId, version: '0', address: 'http://127.0.0.1' })
    .execute();
  const connection = (): Way => {
    const made = {
      imei: `${vehicleId}`,
      vehicleId,
      close: (reason: string) => {
        closed.push(reason);
        ways.disconnected(made);
      },
    };
    ways.connected(made);
    return made;
  };
  const fence = (andReports = false): Promise<string> =>
    database.databases
      .asAccount(accountId, trx => ways.fence(trx, vehicleId, andReports))
      .then(
        () => 'passes',
        (error: { what: string }) => error.what,
      );
  /** As when it was killed. */
  const isGone = () => database.databases.system.deleteFrom('node').where('id', '=', bus.nodeId).execute();
  return { ways, id: bus.nodeId, gained, state, closed, connection, fence, isGone };
}

it('the first connection has the commands, another waits until it is gone, and nobody else passes the fence', async () => {
  const [one, two] = [await aNode(), await aNode()];
  const first = one.connection();
  await expect.poll(() => one.ways.isMine(vehicleId), WAIT).toBe(true);
  expect(one.gained).toEqual([{ vehicleIds: [vehicleId], sender: 'nobody' }]);
  two.connection();
  await two.ways.hold([vehicleId]);
  expect(two.ways.isMine(vehicleId)).toBe(false);
  expect(await two.ways.nodeOf(vehicleId)).toBe(one.id);
  expect([await one.fence(), await two.fence()]).toEqual(['passes', 'commands']);
  one.ways.disconnected(first);
  await expect.poll(() => two.ways.isMine(vehicleId), WAIT).toBe(true);
  expect(two.gained).toEqual([{ vehicleIds: [vehicleId], sender: 'running' }]);
  expect(one.ways.isMine(vehicleId)).toBe(false);
  expect([await one.fence(), await two.fence()]).toEqual(['commands', 'passes']);
});

it('a silent connection gives way to one that waits at another node', async () => {
  const [one, two] = [await aNode(), await aNode()];
  one.connection();
  await expect.poll(() => one.ways.isMine(vehicleId), WAIT).toBe(true);
  two.connection();
  one.state.isSilent = true;
  await expect.poll(() => two.ways.isMine(vehicleId), WAIT).toBe(true);
  expect(one.closed).toEqual(['replaced']);
});

it('what a node that is gone had is taken; when it comes back it has nothing, and sends nothing before it knows', async () => {
  const [one, two] = [await aNode(), await aNode()];
  one.connection();
  await expect.poll(() => one.ways.isMine(vehicleId), WAIT).toBe(true);
  one.state.isKnown = false;
  expect(one.ways.isMine(vehicleId)).toBe(false);
  expect((await two.ways.hold([vehicleId])).size).toBe(0);
  await one.isGone();
  expect((await two.ways.hold([vehicleId])).size).toBe(1);
  expect(two.gained).toEqual([{ vehicleIds: [vehicleId], sender: 'gone' }]);
  await one.ways.readAgain();
  one.state.isKnown = true;
  expect(one.ways.isMine(vehicleId)).toBe(false);
});

it('a node that does not know that another took over finds out at the fence', async () => {
  const [one, two] = [await aNode(), await aNode()];
  one.connection();
  await expect.poll(() => one.ways.isMine(vehicleId), WAIT).toBe(true);
  await one.isGone();
  await two.ways.hold([vehicleId]);
  expect(one.ways.isMine(vehicleId)).toBe(true);
  expect(await one.fence()).toBe('commands');
  expect(one.ways.isMine(vehicleId)).toBe(false);
});

it('[I4] a command that needs a stopped vehicle passes only where the vehicle was heard last', async () => {
  const one = await aNode();
  await one.ways.hold([vehicleId]);
  const heardBy = (node: string) =>
    database.databases.system
      .insertInto('vehicle_owner')
      .values({ vehicle_id: vehicleId, account_id: accountId, node })
      .onConflict(known => known.column('vehicle_id').doUpdateSet({ node }))
      .execute();
  expect(await one.fence(true)).toBe('reports');
  await heardBy(one.id);
  expect(await one.fence(true)).toBe('passes');
  await heardBy(randomUUID());
  expect([await one.fence(true), await one.fence(false)]).toEqual(['reports', 'passes']);
});

it('while a command is being sent, no other node takes it over', async () => {
  const [one, two] = [await aNode(), await aNode()];
  await one.ways.hold([vehicleId]);
  let isTaken = false;
  let taking: Promise<unknown> = Promise.resolve();
  await database.databases.asAccount(accountId, async trx => {
    await one.ways.fence(trx, vehicleId, false);
    await one.isGone();
    taking = two.ways.hold([vehicleId]).then(() => {
      isTaken = true;
    });
    // As long as it takes the other to come to the lock, and longer.
    for (let looks = 0; looks < 20; looks++) await database.databases.pool.query('select pg_sleep(0.01)');
    expect(isTaken).toBe(false);
  });
  await taking;
  expect(two.ways.isMine(vehicleId)).toBe(true);
});
