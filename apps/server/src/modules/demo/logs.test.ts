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

/** Drives for six hours a day, up to a moment. */
const positionsUntil = (from: number, to: number) => {
  const positions = [];
  for (let at = from; at < to; at += 10 * MINUTE) {
    const isDriving = (at % DAY) / DAY < 0.25;
    const speed = fromMilesPerHour(isDriving ? 55 : 0);
    positions.push(receivedPosition(at, { speed, ignition: isDriving, odometer: metres(Math.round(at / 100)) }));
  }
  return positions;
};

it('[R2.15] gives 25 drivers a log of eight days, made of the positions that are there, once, and keeps it', async () => {
  const { db } = server.context;
  await prepareDemo('on', { db, config: { ...TEST_CONFIG, dataDir } }, server.sessions);
  const account = await db.system.selectFrom('account').select('id').where('demo', '=', true).executeTakeFirstOrThrow();
  const truckOf = (name: string) =>
    db.system
      .selectFrom('vehicle')
      .select(['id', 'usual_driver_id'])
      .where('account_id', '=', account.id)
      .where('name', '=', name)
      .executeTakeFirstOrThrow();
  const [truck, forgotten] = [await truckOf('4101'), await truckOf('4107')];
  // Noon UTC: six hours after the drive of the day.
  const now = Math.floor(Date.now() / DAY) * DAY - 12 * 60 * MINUTE;
  for (const { id } of [truck, forgotten]) {
    await storePositions(server, account.id, id, positionsUntil(now - 13 * DAY, now - 10 * MINUTE));
  }
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
  const { rows: drives } = await db.pool.query(
    `select log from duty_entry where log like 'unidentified:%' and entry like '%"type":1,%' and entry like '%"code":3,%'`,
  );
  expect(drives).toEqual([{ log: `unidentified:${forgotten.id}` }]);
  const defects = await db.system.selectFrom('inspection_report').select('state').execute();
  expect(defects).toEqual([{ state: 'reported' }]);

  // The day goes on: the truck drives again, and its driver rests once it has stood for a while.
  const evening = now + 20 * 60 * MINUTE;
  await storePositions(server, account.id, truck.id, positionsUntil(now, evening));
  await server.recorder.look(evening);
  await keepDemoLogs(server.context, server.recorder, evening);
  const { rows: pressed } = await db.pool.query(
    `select action ->> 'status' as status from duty_input where driver_id = $1 order by at desc, seq desc limit 1`,
    [truck.usual_driver_id],
  );
  const state = await db.system
    .selectFrom('recorder_fold')
    .select('state')
    .where('vehicle_id', '=', truck.id)
    .executeTakeFirstOrThrow();
  expect([pressed, state.state]).toMatchObject([[{ status: 'SB' }], { recorder: { status: 'SB' } }]);
});
