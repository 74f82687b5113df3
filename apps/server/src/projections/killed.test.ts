import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { degrees, epochMs, fromKilometresPerHour } from '@milepost/units';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAllCounted } from '../../testing/counted-days.ts';
import { addVehicle, positionMessage, startPipeline, type TestPipeline } from '../../testing/ingest.ts';
import { openDirectory } from '../fleet/directory.ts';
import { loadLiveStates } from '../fleet/live.ts';
import { createAccount } from '../modules/accounts/accounts.ts';
import { openDailyFigures } from '../modules/history/days/daily-figures.ts';

const KEEP_COUNTING = join(import.meta.dirname, '../../testing/keep-counting.ts');
const MINUTE = 60_000;
const DAYS = 3;

let pipe: TestPipeline;
const children: ChildProcess[] = [];

beforeAll(async () => {
  pipe = await startPipeline();
});
afterAll(async () => {
  await Promise.all(children.splice(0).map(kill));
  await pipe.close();
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

/** Drives and halts, a fix every two minutes. */
const story = (now: number) =>
  Array.from({ length: (DAYS * 24 * 60) / 2 }, (_, i) => {
    const isDriving = i % 40 < 25;
    return positionMessage(now - MINUTE - i * 2 * MINUTE, {
      lon: degrees(-87.68 + Math.abs((i % 200) - 100) * 0.01),
      speed: fromKilometresPerHour(isDriving ? 45 : 0),
      ignition: isDriving,
    });
  });

/** Two servers count, and one of them is killed so many times, while positions come in any order. */
async function survive(kills: number): Promise<void> {
  const accountId = await createAccount(pipe.context.db, { name: 'Killed' });
  const vehicles = await Promise.all([1, 2, 3].map(() => addVehicle(pipe.context, accountId)));
  const left = vehicles.map(vehicle => {
    const positions = story(Date.now());
    return { vehicle, positions: positions.map((_, i) => positions[(i * 7919) % positions.length]!) };
  });
  const send = async (count: number): Promise<void> => {
    for (const { vehicle, positions } of left) {
      const messages = positions.splice(0, count);
      if (messages.length > 0) await pipe.pipeline.accept(vehicle, messages, 'teltonika', epochMs(Date.now()));
    }
  };
  const runners = async (): Promise<number> =>
    (await pipe.context.db.pool.query('select id from projection_runner')).rows.length;
  /** Once it counts. */
  const start = async (): Promise<ChildProcess> => {
    const before = await runners();
    const args = [KEEP_COUNTING, pipe.database.url, String(accountId)];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    children.push(child);
    await expect.poll(runners, { timeout: 30_000 }).toBeGreaterThan(before);
    return child;
  };
  await send(1);
  let isOver = false;
  const sending = (async () => {
    for (; !isOver; await sleep(30 * Math.random())) await send(5);
  })();
  let survivor = await start();
  for (let killed = 0; killed < kills; killed++) {
    const next = await start();
    await sleep(700 * Math.random());
    await kill(survivor);
    survivor = next;
  }
  isOver = true;
  await sending;
  await kill(survivor);
  await send(Number.POSITIVE_INFINITY);

  const directory = await openDirectory(pipe.context);
  const live = await loadLiveStates(pipe.context.db.system);
  const figures = openDailyFigures(pipe.context, { directory, live });
  await figures.manager.catchUp(
    accountId,
    vehicles.map(({ id }) => id),
    60_000,
  );
  const { rows } = await pipe.context.db.pool.query(
    'select count(*)::int4 as days from trip_day where account_id = $1',
    [accountId],
  );
  expect(rows[0].days).toBeGreaterThanOrEqual(vehicles.length * DAYS);
  for (const vehicle of vehicles) await expectAllCounted(pipe.context, figures, vehicle, DAYS + 1);
}

it(
  '[I6] days and trips are those of a full count, though servers that counted them were killed',
  { timeout: 180_000 },
  () => survive(2),
);

it('nor do twenty kills change them', { tags: ['long'], timeout: 300_000 }, () => survive(20));
