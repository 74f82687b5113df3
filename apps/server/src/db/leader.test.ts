import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { GONE_AFTER_SECONDS, type Leader, openLeader } from './leader.ts';
import { type Nodes, openNodes, readNodes } from './nodes.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const log = pino({ level: 'silent' });
const open: { readonly leader: Leader; readonly nodes: Nodes }[] = [];
afterEach(async () => {
  for (const { leader, nodes } of open.splice(0)) {
    await leader.stop();
    await nodes.leave();
  }
});

const server = async () => {
  const id = randomUUID();
  const nodes = openNodes(database.databases, { id, version: '1.0.0', log });
  await nodes.enter(() => 'http://localhost:8080');
  const made = { id, nodes, leader: openLeader(database.connection, { id, log }) };
  open.push(made);
  return made;
};
const whoLeads = async (): Promise<string[]> =>
  (await readNodes(database.databases.system)).filter(({ leads }) => leads).map(({ id }) => id);

it('leads at one server at a time, and at another once that one stops', async () => {
  const [one, two] = [await server(), await server()];
  expect(await whoLeads()).toEqual([]);
  expect(await one.leader.leads()).toBe(true);
  expect(await two.leader.leads()).toBe(false);
  expect([one.leader.since, two.leader.since]).toEqual([expect.any(Date), null]);
  expect(await whoLeads()).toEqual([one.id]);
  await one.leader.stop();
  await expect.poll(() => two.leader.leads()).toBe(true);
  expect(await one.leader.leads()).toBe(false);
  expect(await whoLeads()).toEqual([two.id]);
});

it('of servers that ask at once, one leads', async () => {
  const all = await Promise.all([server(), server(), server()]);
  const answers = await Promise.all(all.map(({ leader }) => leader.leads()));
  expect(answers.filter(Boolean)).toHaveLength(1);
});

it('is taken from a server that hangs: it holds its connection, and is not seen any more', async () => {
  const [hung, other] = [await server(), await server()];
  expect(await hung.leader.leads()).toBe(true);
  await database.databases.system
    .updateTable('node')
    .set({ seen_at: sql<Date>`now() - make_interval(secs => ${GONE_AFTER_SECONDS + 1})` })
    .where('id', '=', hung.id)
    .execute();
  await expect.poll(() => other.leader.leads()).toBe(true);
  expect(await hung.leader.leads()).toBe(false);
  expect(hung.leader.since).toBeNull();
});

it('a server whose connection breaks leads no more, and may again', async () => {
  const { id, leader } = await server();
  expect(await leader.leads()).toBe(true);
  await database.databases.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1',
    [`milepost leader ${id}`],
  );
  await expect.poll(() => leader.since).toBeNull();
  await expect.poll(() => leader.leads()).toBe(true);
});
