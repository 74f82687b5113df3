import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { GONE_AFTER_SECONDS, openNodes } from './nodes.ts';

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
  expect(await two.alive()).toEqual([
    { id: one.id, version: '1.2.0', address: 'http://one:8080', startedAt: expect.any(Date) },
    { id: two.id, version: '1.3.0', address: 'http://two:8080', startedAt: expect.any(Date) },
  ]);
  await one.leave();
  expect((await two.alive()).map(({ id }) => id)).toEqual([two.id]);
  await two.leave();
  await killed.leave();
});
