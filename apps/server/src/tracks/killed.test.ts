import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testContext } from '../../testing/context.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { addVehicle, type TestVehicle } from '../../testing/ingest.ts';
import { receivedPosition } from '../../testing/stored-positions.ts';
import { BatchWriter } from '../ingest/batch-writer.ts';
import { positionsFrom } from './read.ts';
import type { StoredPosition } from './stored-position.ts';

const KEEP_SEALING = join(import.meta.dirname, '../../testing/keep-sealing.ts');
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Math.floor(Date.now() / DAY) * DAY - 8 * DAY;
const DAYS = 5;
const EVERYTHING = { from: new Date(START), isFromIncluded: true, to: new Date() };

let database: TestDatabase;
let vehicle: TestVehicle;
let sealer: ChildProcess | null = null;
const acknowledged = new Map<number, StoredPosition>();

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => {
  await kill();
  await database.close();
});

function start(): void {
  sealer = spawn(process.execPath, [KEEP_SEALING, database.url], { stdio: 'ignore' });
}

async function kill(): Promise<void> {
  const child = sealer;
  sealer = null;
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Positions of a moment each in every day, as ingest takes them when they come late. */
async function write(writer: BatchWriter, minute: number): Promise<void> {
  const batch = Array.from({ length: DAYS }, (_, day): StoredPosition => {
    const position = receivedPosition(START + day * DAY + minute * MINUTE, { satellites: minute % 20 });
    return { ...position, late: minute > 0, doubts: 0 };
  });
  await writer.write(
    batch.map(position => ({ vehicle, position, isNew: false })),
    [],
  );
  for (const position of batch) acknowledged.set(position.fixAt, position);
}

const read = () =>
  database.databases.asAccount(vehicle.accountId, trx => positionsFrom(trx, vehicle.id, EVERYTHING, 1_000_000));

async function expectAllThere(): Promise<void> {
  const known = new Map(acknowledged);
  const found = await read();
  const there = new Map(found.map(position => [position.fixAt, position]));
  expect(there.size).toBe(found.length);
  for (const [fixAt, position] of known) expect(there.get(fixAt as StoredPosition['fixAt'])).toEqual(position);
}

const sealedDays = async (): Promise<number> =>
  Number(
    (await database.databases.pool.query('select count(*) from sealed_day where vehicle_id = $1', [vehicle.id])).rows[0]
      .count,
  );

/** Late positions and readers all the while, and the sealing process killed so many times. */
async function survive(kills: number): Promise<void> {
  vehicle = await addVehicle(testContext(database.databases));
  acknowledged.clear();
  const writer = new BatchWriter(database.databases.pool);
  await write(writer, 0);
  await database.databases.system
    .insertInto('vehicle_state')
    .values({
      vehicle_id: vehicle.id,
      account_id: vehicle.accountId,
      heard_at: new Date(),
      live: JSON.stringify({ fixAt: Date.now() }),
    })
    .execute();
  let isOver = false;
  let minute = 0;
  const writing = (async () => {
    for (; !isOver; await sleep(20 * Math.random())) await write(writer, ++minute);
  })();
  const reading = (async () => {
    for (; !isOver; await sleep(5)) await expectAllThere();
  })();
  for (let killed = 0; killed < kills; killed++) {
    start();
    await sleep(300 + 700 * Math.random());
    await kill();
    await expectAllThere();
  }
  isOver = true;
  await Promise.all([writing, reading]);
  await expectAllThere();
  // What is left is sealed by the next one, whole.
  start();
  await expect.poll(sealedDays, { timeout: 30_000 }).toBe(DAYS);
  await kill();
  await expectAllThere();
  expect((await read()).length).toBe(acknowledged.size);
}

it(
  'loses and doubles nothing when the process that seals is killed, while late positions come and pages read',
  {
    timeout: 60_000,
  },
  () => survive(3),
);

it('nor in fifty kills', { tags: ['long'], timeout: 300_000 }, () => survive(50));
