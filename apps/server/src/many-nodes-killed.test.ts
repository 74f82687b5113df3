import { setTimeout as sleep } from 'node:timers/promises';
import { EXPORTS_KEPT } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testContext } from '../testing/context.ts';
import { setTestControlPassword } from '../testing/control-password.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { type SignedIn, signedIn } from '../testing/http-server.ts';
import { addVehicle } from '../testing/ingest.ts';
import {
  commandsEnded,
  expectAlertsOnce,
  expectAllDaysCounted,
  expectCommandsOnce,
  expectStoredOnce,
} from '../testing/many-nodes/afterwards.ts';
import { Desk, haveReported } from '../testing/many-nodes/desk.ts';
import { Reporter } from '../testing/many-nodes/reporter.ts';
import { Servers } from '../testing/many-nodes/servers.ts';
import { findNats, type NatsProcess, startNats, WHY_NO_NATS } from '../testing/nats.ts';
import { makeScratchFolder, removeScratchFolder } from '../testing/scratch.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { createSessions } from './modules/accounts/sessions.ts';

/** Three servers as processes of their own, of which one is killed again and again. */

const VEHICLES = 8;
/** Of these, so many report what is, not a day long gone: only their engine may be stopped. */
const PARKED = 2;
const SERVERS = 3;
const KILLS = 6;

describe.skipIf(!findNats())(`three servers, one of which is killed${findNats() ? '' : ` (${WHY_NO_NATS})`}`, () => {
  let database: TestDatabase;
  let nats: NatsProcess;
  let hooks: WebhookReceiver;
  let owner: SignedIn;
  const dataDir = makeScratchFolder();
  const servers = new Servers(SERVERS, () => ({ DATABASE_URL: database.url, NATS_URL: nats.url, DATA_DIR: dataDir }));

  beforeAll(async () => {
    [database, nats, hooks] = await Promise.all([testDatabase(), startNats(), startWebhookReceiver()]);
    const context = testContext(database.databases);
    owner = await signedIn({ context, sessions: createSessions(context) });
    await setTestControlPassword({ context }, owner);
    await servers.startAll();
  }, 120_000);
  afterAll(async () => {
    await servers.killAll();
    await hooks?.close();
    await nats?.stop();
    await database?.close();
    removeScratchFolder(dataDir);
  });

  it('[I1] [I4] [I6] every acknowledged position, alert, delivery and job is there once, no command is sent twice, and days are those of a full count', {
    tags: ['long'],
    timeout: 600_000,
  }, async () => {
    const context = testContext(database.databases);
    const vehicles = await Promise.all(Array.from({ length: VEHICLES }, () => addVehicle(context, owner.accountId)));
    const trackers = vehicles.map((vehicle, n) => new Reporter(vehicle, servers.running, n < PARKED));
    const desk = new Desk(servers, owner);
    await desk.untilKnown(vehicles.at(-1));
    for (const tracker of trackers) tracker.start();
    await desk.addWebhook(hooks);
    await haveReported(trackers, 5);
    let exports = 0;
    for (let round = 0; round < KILLS; round++) {
      const victim = round % SERVERS;
      for (const tracker of trackers.filter((_, n) => n % KILLS === round)) tracker.cryOut();
      const asking = trackers.flatMap(tracker => [victim, (victim + 1) % SERVERS].map(n => desk.control(n, tracker)));
      const exported = desk.post((victim + 1) % SERVERS, 'data/export', { positions: true });
      // In the middle of it: a little later each time.
      await sleep(round * 150);
      await servers.kill(victim);
      await Promise.all(asking);
      // Refused while the one before is open.
      if (((await exported) as { id?: string } | null)?.id) exports++;
      await haveReported(trackers, 5);
      await servers.start(victim);
      await haveReported(trackers, 5);
    }
    const { system } = database.databases;
    await commandsEnded(system);
    for (const tracker of trackers) await tracker.stop();
    const jobs = () => system.selectFrom('job').select(['state', 'kind']).execute();
    await vi.waitFor(async () => expect((await jobs()).filter(({ state }) => state !== 'done')).toEqual([]), {
      timeout: 150_000,
      interval: 100,
    });
    // Older ones are forgotten.
    expect(await jobs()).toHaveLength(Math.min(exports, EXPORTS_KEPT));
    const alerts = await expectAlertsOnce(system, vehicles, hooks);
    const commands = await expectCommandsOnce(system, trackers);
    expect(commands.all).toBeGreaterThan(VEHICLES);
    expect(trackers.reduce((sum, { told }) => sum + told.length, 0)).toBeGreaterThan(0);
    const stored = await expectStoredOnce(system, trackers);
    await servers.killAll();
    await expectAllDaysCounted(context, vehicles);
    process.stdout.write(
      `${stored} positions, ${commands.all} commands, ${commands.unsure} of them uncertain, ${hooks.posts.length} deliveries of ${alerts} alerts, ${exports} exports\n`,
    );
  });
});
