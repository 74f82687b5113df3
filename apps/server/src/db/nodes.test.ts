import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { DatabaseClock } from '../lifecycle/database-clock.ts';
import { GONE_AFTER_SECONDS } from './leader.ts';
import { openNodes, readNodes } from './nodes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const log = pino({ level: 'silent' });
const node = (version: string) => {
  const id = randomUUID();
  return { id, ...openNodes(database.databases, { id, version, log }) };
};

const running = async () =>
  (await readNodes(database.databases.system)).flatMap(({ address, id, isRunning, startedAt, version }) =>
    isRunning ? [{ id, version, address, startedAt }] : [],
  );

it('knows the servers that run, until they leave or are not seen any more', async () => {
  const [one, two, killed] = [node('1.2.0'), node('1.3.0'), node('1.3.0')];
  await one.enter(() => 'http://one:8080');
  await two.enter(() => 'http://two:8080');
  await killed.enter(() => 'http://killed:8080');
  const { system } = database.databases;
  await system
    .updateTable('node')
    .set({ seen_at: sql<Date>`now() - make_interval(secs => ${GONE_AFTER_SECONDS + 1})` })
    .where('id', '=', killed.id)
    .execute();
  expect(await running()).toEqual([
    { id: one.id, version: '1.2.0', address: 'http://one:8080', startedAt: expect.any(Date) },
    { id: two.id, version: '1.3.0', address: 'http://two:8080', startedAt: expect.any(Date) },
  ]);
  await one.leave();
  expect((await running()).map(({ id }) => id)).toEqual([two.id]);
  await two.leave();
  await killed.leave();
});

it('says what a server says of itself: since when the bus is away, and how its clock differs', async () => {
  const id = randomUUID();
  const since = new Date('2026-03-01T10:00:00Z');
  const said = {
    id,
    version: '1.3.0',
    log,
    busAwaySince: () => since,
    clock: new DatabaseClock(() => Date.now() + 90_000),
  };
  const ahead = openNodes(database.databases, said);
  await ahead.enter(() => 'http://ahead:8080');
  expect(said.clock.aheadMs).toBeGreaterThan(80_000);
  const [state] = await readNodes(database.databases.system);
  expect(state).toMatchObject({ id, busAwaySince: since, isRunning: true, leads: false, name: expect.any(String) });
  expect(state?.clockAheadMs).toBeGreaterThan(80_000);
  await ahead.leave();
  expect(await readNodes(database.databases.system)).toEqual([]);
});
