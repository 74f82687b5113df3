import { sql } from 'kysely';
import pino from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { receivedPosition } from '../../testing/stored-positions.ts';
import { BatchWriter } from '../ingest/batch-writer.ts';
import { keepPartitions, type PartitionManager } from './partitions.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const at = (day: string) => Date.parse(`${day}T06:00:00Z`);

let database: TestDatabase;
let manager: PartitionManager | null = null;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(async () => {
  manager?.stop();
  manager = null;
  await database.close();
});

const keep = async (now = NOW) => {
  manager?.stop();
  manager = await keepPartitions(database.databases.pool, pino({ level: 'silent' }), () => now);
  return manager;
};
const store = async (days: readonly string[]) => {
  const rows = days.map(day => ({
    vehicle: { id: 1, accountId: 1 },
    position: { ...receivedPosition(at(day)), late: false, doubts: 0 },
    isNew: false,
  }));
  await new BatchWriter(database.databases.pool).write(rows, []);
};
/** Where the rows are, by day. */
const places = async () => {
  const { rows } = await sql<{ place: string; day: string }>`
    select tableoid::regclass::text as place, to_char(fix_at at time zone 'UTC', 'YYYY-MM-DD') as day
    from position order by fix_at`.execute(database.databases.system);
  return Object.fromEntries(rows.map(({ day, place }) => [day, place]));
};

it('makes the months around now ahead, the same ones only once', async () => {
  await keep();
  await keep();
  await store(['2026-10-01', '2026-11-20', '2026-12-31', '2027-01-31', '2026-09-30', '2027-02-01']);
  expect(await places()).toEqual({
    '2026-09-30': 'position_other',
    '2026-10-01': 'position_2026_10',
    '2026-11-20': 'position_2026_11',
    '2026-12-31': 'position_2026_12',
    '2027-01-31': 'position_2027_01',
    '2027-02-01': 'position_other',
  });
});

it('makes an older month when the first position asks for it, and moves there what the default partition held', async () => {
  const { cover } = await keep();
  await store(['2026-08-01', '2026-08-31', '2026-09-01']);
  await cover([{ position: { fixAt: at('2026-08-15') } }]);
  expect(await places()).toEqual({
    '2026-08-01': 'position_2026_08',
    '2026-08-31': 'position_2026_08',
    '2026-09-01': 'position_other',
  });
});

it('moves a fix of next year into its month when that comes near', async () => {
  await keep();
  await store(['2027-03-05']);
  await keep(at('2027-01-02'));
  expect(await places()).toEqual({ '2027-03-05': 'position_2027_03' });
});

it('leaves fixes of far-off clocks in the default partition', async () => {
  const { cover } = await keep();
  await cover(['1970-01-01', '2007-04-06', '2031-01-01', '9999-12-31'].map(day => ({ position: { fixAt: at(day) } })));
  await store(['1970-01-01', '9999-12-31']);
  expect(Object.values(await places())).toEqual(['position_other', 'position_other']);
});

it('makes a month once when many ask at the same time, and while positions are written', async () => {
  const { cover } = await keep();
  const days = Array.from({ length: 20 }, (_, n) => `2026-07-${String(n + 1).padStart(2, '0')}`);
  const writing = Promise.all(days.map(day => store([day])));
  await Promise.all(Array.from({ length: 5 }, () => cover([{ position: { fixAt: at('2026-07-15') } }])));
  await writing;
  expect(await places()).toEqual(Object.fromEntries(days.map(day => [day, 'position_2026_07'])));
});

it('waits for positions that are on their way, which would land where no query of their month looks', async () => {
  const { cover } = await keep();
  const writer = await database.databases.pool.connect();
  // A statement that writes has chosen its partitions once it has this lock.
  await writer.query('begin; lock table only position in row exclusive mode');
  let isMade = false;
  const making = cover([{ position: { fixAt: at('2026-07-15') } }]).then(() => {
    isMade = true;
  });
  await new Promise(resolve => setTimeout(resolve, 300));
  expect(isMade).toBe(false);
  await writer.query('commit');
  writer.release();
  await making;
  await store(['2026-07-15']);
  expect(await places()).toEqual({ '2026-07-15': 'position_2026_07' });
});

it('serves from the default partition while a month can not be made', async () => {
  const { cover } = await keep();
  await sql`create table position_2026_06 (note text)`.execute(database.databases.system);
  await cover([{ position: { fixAt: at('2026-06-15') } }]);
  await store(['2026-06-15']);
  expect(await places()).toEqual({ '2026-06-15': 'position_other' });
});
