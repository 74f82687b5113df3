import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type App, createApp } from '../apps/server/src/app.ts';
import { type Config, GATEWAY_NAMES } from '../apps/server/src/config/config.ts';
import { TEST_CONFIG } from '../apps/server/testing/context.ts';
import { type TestDatabase, testDatabase } from '../apps/server/testing/database.ts';
import { ownPort, ownPorts } from '../apps/server/testing/own-port.ts';
import { makeScratchFolder, removeScratchFolder } from '../apps/server/testing/scratch.ts';
import { sendLoad } from '../apps/simulator/src/load/load.ts';

/** The server restarts in the middle of a drive, and the trackers reconnect. */
const log = pino({ level: 'silent' });
const dataDir = makeScratchFolder();
let database: TestDatabase;
let app: App;

let ports: Pick<Config, 'mqttPort' | 'gateways'>;

const start = async (): Promise<App> => {
  const started = await createApp({ ...TEST_CONFIG, dataDir, demo: 'on', ...ports }, database.connection, log);
  await started.start();
  return started;
};

beforeAll(async () => {
  database = await testDatabase();
  ports = { mqttPort: await ownPort(), gateways: await ownPorts(GATEWAY_NAMES) };
  app = await start();
});
afterAll(async () => {
  await app?.stop();
  await database?.close();
  removeScratchFolder(dataDir);
});

/**
 * One tracker per kind of connection; `gl200` stands for all whose registration creates the connection. Protocols
 * without acknowledgements are left out: their trackers can't know what was lost.
 */
it.each(['teltonika', 'gt06', 'osmand', 'mqtt', 'gl200'] as const)(
  '%s: positions measured while the server was down arrive when it is back',
  async protocol => {
    const { simulatorToken: token = '' } = app.demo ?? {};
    const count = async (): Promise<number> => {
      const { rows } = await database.databases.system
        .selectFrom('position')
        .select(({ fn }) => fn.countAll<string>().as('rows'))
        .executeTakeFirstOrThrow();
      return Number(rows);
    };
    const before = await count();
    const target = { url: app.url, token, host: '127.0.0.1', ports: Object.fromEntries(app.trackerPorts) };
    const figures = sendLoad(target, { rate: 10, vehicles: 10, protocol, seconds: 5 }, () => {});

    await expect.poll(count).toBeGreaterThan(before);
    await app.stop();
    await sleep(1500);
    app = await start();

    expect(await figures).toMatchObject({ sent: 50, acknowledged: 50 });
    expect((await count()) - before).toBe(50);
  },
);
