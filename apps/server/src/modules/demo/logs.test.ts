import { fromMilesPerHour, metres } from '@milepost/units';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TEST_CONFIG } from '../../../testing/context.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../testing/scratch.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { prepareDemo } from './demo.ts';
import { keepDemoLogs } from './logs.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let server: TestHttpServer;
const dataDir = makeScratchFolder();
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(async () => {
  await server.close();
  removeScratchFolder(dataDir);
});

it('[R2.15] gives 25 drivers a log of eight days, made of the positions that are there, once', async () => {
  const { db } = server.context;
  await prepareDemo('on', { db, config: { ...TEST_CONFIG, dataDir } }, server.sessions);
  const account = await db.system.selectFrom('account').select('id').where('demo', '=', true).executeTakeFirstOrThrow();
  const truck = await db.system
    .selectFrom('vehicle')
    .select(['id', 'usual_driver_id'])
    .where('account_id', '=', account.id)
    .where('name', '=', '4101')
    .executeTakeFirstOrThrow();
  const now = Date.now();
  const positions = [];
  for (let at = now - 13 * DAY; at < now - 10 * MINUTE; at += 10 * MINUTE) {
    // Drives for six hours a day.
    const isDriving = (at % DAY) / DAY < 0.25;
    const speed = fromMilesPerHour(isDriving ? 55 : 0);
    positions.push(receivedPosition(at, { speed, ignition: isDriving, odometer: metres(Math.round(at / 100)) }));
  }
  await storePositions(server, account.id, truck.id, positions);
  await keepDemoLogs(server.context, server.recorder, now);
  const count = async () => {
    const { rows } = await db.pool.query(`select count(*)::int as count from duty_entry where log = $1`, [
      `driver:${truck.usual_driver_id}`,
    ]);
    return rows[0].count as number;
  };
  const entries = await count();
  expect(entries).toBeGreaterThan(40);
  await keepDemoLogs(server.context, server.recorder, now + MINUTE);
  expect(await count()).toBe(entries);
  const keep = await db.system.selectFrom('log_setting').select('driver_id').where('keeps_log', '=', true).execute();
  expect(keep).toHaveLength(25);

  const { rows } = await db.pool.query(
    `select action, count(*)::int as count from duty_entry where log = $1 group by 1 order by 1`,
    [`driver:${truck.usual_driver_id}`],
  );
  const byAction = Object.fromEntries(rows.map(({ action, count: number }) => [action, number]));
  expect(byAction).toMatchObject({ propose: 1, home: 1 });
  expect(byAction.certify).toBeGreaterThan(4);
});
