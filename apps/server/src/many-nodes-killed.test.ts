import { setTimeout as sleep } from 'node:timers/promises';
import { type Command, deviceTopic, EXPORTS_KEPT, userTopic } from '@milepost/contract';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testContext } from '../testing/context.ts';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../testing/control-password.ts';
import { expectAllCounted } from '../testing/counted-days.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { call, type SignedIn, signedIn } from '../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../testing/ingest.ts';
import { asDevice, closed, MqttClients, outcome, positionReport } from '../testing/mqtt.ts';
import { findNats, type NatsProcess, startNats, WHY_NO_NATS } from '../testing/nats.ts';
import { makeScratchFolder, removeScratchFolder } from '../testing/scratch.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { openDirectory } from './fleet/directory.ts';
import { loadLiveStates } from './fleet/live.ts';
import { createSessions } from './modules/accounts/sessions.ts';
import { openDailyFigures } from './modules/history/days/daily-figures.ts';

/** Three servers as processes of their own, of which one is killed again and again. */

const VEHICLES = 8;
/** Of these, so many report what is, not a day long gone: only their engine may be stopped. */
const PARKED = 2;
const SERVERS = 3;
const KILLS = 6;
const WAIT = { timeout: 90_000, interval: 100 };

interface Running {
  readonly process: ServerProcess;
  readonly url: string;
  readonly mqtt: number;
}

/**
 * Reports each second of a day that is over, driving and halting, or stands and reports what is; each until it is
 * acknowledged, to whatever server lets it in.
 */
class Tracker {
  readonly vehicle: TestVehicle;
  readonly isParked: boolean;
  readonly acknowledged: string[] = [];
  readonly told: string[] = [];
  readonly #servers: readonly (Running | null)[];
  #isOver = false;
  #n = 0;
  #sos = -1;
  #lat = 41.5;
  #running: Promise<void> | null = null;

  constructor(vehicle: TestVehicle, servers: readonly (Running | null)[], isParked: boolean) {
    this.vehicle = vehicle;
    this.isParked = isParked;
    this.#servers = servers;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** The next report says so, and those that repeat it. */
  cryOut(): void {
    this.#sos = this.#n + 1;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    const began = Math.floor(Date.now() / 1000) * 1000 - (this.isParked ? 0 : 7_200_000);
    for (let turn = 0; !this.#isOver; turn++) {
      const server = this.#servers[(turn + this.vehicle.id) % this.#servers.length];
      if (!server) {
        await sleep(50);
        continue;
      }
      const clients = new MqttClients({ url: server.url, port: () => server.mqtt });
      const client = clients.connect(asDevice(this.vehicle));
      client.on('message', (_, payload) => this.told.push(payload.toString()));
      if ((await outcome(client)) === null) await this.#reportOver(client, began).catch(() => {});
      clients.endAll();
      await sleep(50);
    }
  }

  async #reportOver(client: MqttClient, began: number): Promise<void> {
    const hasClosed = closed(client).then(() => {
      throw new Error('closed');
    });
    hasClosed.catch(() => {});
    await Promise.race([client.subscribeAsync(userTopic(this.vehicle.imei), { qos: 1 }), hasClosed]);
    while (!this.#isOver) {
      const time = new Date(
        this.isParked ? Math.floor(Date.now() / 1000) * 1000 : began + this.#n * 1000,
      ).toISOString();
      const isDriving = !this.isParked && this.#n % 240 < 180;
      if (isDriving) this.#lat += 0.00015;
      const report = positionReport({
        ...{ reportDate: time.slice(0, 10), reportTime: time.slice(11, 19), lat: this.#lat },
        ...{ speed: isDriving ? 60 : 0, ignitionStatus: isDriving ? 1 : 0 },
        ...(this.#n === this.#sos && { eventType: 'sos' }),
      });
      const published = client.publishAsync(deviceTopic(this.vehicle.imei), JSON.stringify(report), { qos: 1 });
      await Promise.race([published, hasClosed]);
      this.acknowledged.push(time);
      this.#n++;
      await sleep(this.isParked ? 1000 : 25);
    }
  }
}

describe.skipIf(!findNats())(`three servers, one of which is killed${findNats() ? '' : ` (${WHY_NO_NATS})`}`, () => {
  let database: TestDatabase;
  let nats: NatsProcess;
  let hooks: WebhookReceiver;
  let owner: SignedIn;
  const dataDir = makeScratchFolder();
  const servers: (Running | null)[] = Array.from({ length: SERVERS }, () => null);

  const start = async (n: number): Promise<void> => {
    const process = startServerProcess({
      ...{ DATABASE_URL: database.url, NATS_URL: nats.url },
      ...{ WEBHOOK_HTTP: 'on', WEBHOOK_NETWORKS: '127.0.0.1' },
      ...{ DATA_DIR: dataDir, DEMO: 'off', HOST: '127.0.0.1' },
    });
    const ready = await process.ready;
    if (!ready) throw new Error(process.complaint());
    servers[n] = { process, url: ready.url, mqtt: ready.trackerPorts.mqtt ?? 0 };
  };
  const kill = async (n: number): Promise<void> => {
    const victim = servers[n];
    servers[n] = null;
    victim?.process.child.kill('SIGKILL');
    await victim?.process.ended;
  };

  beforeAll(async () => {
    [database, nats, hooks] = await Promise.all([testDatabase(), startNats(), startWebhookReceiver()]);
    const context = testContext(database.databases);
    owner = await signedIn({ context, sessions: createSessions(context) });
    await setTestControlPassword({ context }, owner);
    // At once.
    await Promise.all(servers.map((_, n) => start(n)));
  }, 120_000);
  afterAll(async () => {
    await Promise.all(servers.map((_, n) => kill(n)));
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
    const trackers = vehicles.map((vehicle, n) => new Tracker(vehicle, servers, n < PARKED));
    const isKnown = async (): Promise<boolean> => {
      const { body } = await call(servers[0]?.url ?? '', 'GET', '/api/v1/device', { token: owner.token });
      return JSON.stringify(body).includes(vehicles.at(-1)?.imei ?? '');
    };
    await vi.waitFor(async () => expect(await isKnown()).toBe(true), WAIT);
    for (const tracker of trackers) tracker.start();
    const post = async (n: number, path: string, body: object): Promise<unknown> => {
      const server = servers[n];
      if (!server) return null;
      // A server that is killed meanwhile doesn't answer.
      const answer = await call(server.url, 'POST', `/api/v1/${path}`, { token: owner.token, body }).catch(() => null);
      return answer?.body ?? null;
    };
    const hook = { name: 'Guard', url: `${hooks.url}/hook`, severities: ['critical'] };
    expect(await post(0, 'webhook', hook)).toMatchObject({ name: 'Guard' });
    const control = async (n: number, { isParked, vehicle: { imei } }: Tracker): Promise<void> => {
      const wanted = { action: isParked ? 'engineStop' : 'engineResume', imei };
      const confirmed = await post(n, 'confirm_control_pass', { ...wanted, controlPassword: TEST_CONTROL_PASSWORD });
      const { grant } = (confirmed ?? {}) as { grant?: string };
      if (grant) await post(n, 'command', { ...wanted, grant, reason: 'found' });
    };
    const haveReported = async (more: number): Promise<void> => {
      const before = trackers.map(({ acknowledged }) => acknowledged.length);
      await vi.waitFor(() => {
        for (const [n, tracker] of trackers.entries()) {
          expect(tracker.acknowledged.length).toBeGreaterThan((before[n] ?? 0) + more);
        }
      }, WAIT);
    };
    await haveReported(5);
    let exports = 0;
    for (let round = 0; round < KILLS; round++) {
      const victim = round % SERVERS;
      for (const tracker of trackers.filter((_, n) => n % KILLS === round)) tracker.cryOut();
      const asking = trackers.flatMap(tracker => [victim, (victim + 1) % SERVERS].map(n => control(n, tracker)));
      const exported = post((victim + 1) % SERVERS, 'data/export', { positions: true });
      // In the middle of it: a little later each time.
      await sleep(round * 150);
      await kill(victim);
      await Promise.all(asking);
      // Refused while the one before is open.
      if (((await exported) as { id?: string } | null)?.id) exports++;
      await haveReported(5);
      await start(victim);
      await haveReported(5);
    }
    // What a killed server had sent is known to be uncertain, and nothing waits for it any more.
    const { system } = database.databases;
    const commands = () => system.selectFrom('command').selectAll().execute();
    await vi.waitFor(
      async () => {
        const open = (await commands()).filter(({ state }) => state === 'queued' || state === 'awaiting-second');
        expect(open).toEqual([]);
      },
      { ...WAIT, timeout: 150_000 },
    );
    for (const tracker of trackers) await tracker.stop();
    const jobs = () => system.selectFrom('job').select(['state', 'kind']).execute();
    await vi.waitFor(async () => expect((await jobs()).filter(({ state }) => state !== 'done')).toEqual([]), {
      ...WAIT,
      timeout: 150_000,
    });
    // Older ones are forgotten.
    expect(await jobs()).toHaveLength(Math.min(exports, EXPORTS_KEPT));
    const deliveries = () => system.selectFrom('webhook_delivery').select(['id', 'alert_id', 'state']).execute();
    await vi.waitFor(
      async () => {
        const all = await deliveries();
        expect(all.map(({ state }) => state)).toEqual(vehicles.map(() => 'delivered'));
      },
      { ...WAIT, timeout: 150_000 },
    );

    const ended = await commands();
    expect(ended.length).toBeGreaterThan(VEHICLES);
    for (const { vehicle, told } of trackers) {
      const sent = ended.filter(({ vehicle_id }) => vehicle_id === vehicle.id).map(each => each.sent);
      for (const times of sent) expect(times).toBeLessThanOrEqual(1);
      expect(told.length).toBeLessThanOrEqual(sent.reduce((sum, times) => sum + times, 0));
    }
    expect(trackers.reduce((sum, { told }) => sum + told.length, 0)).toBeGreaterThan(0);
    const unsure = ended.filter(({ steps }) => JSON.stringify(steps as Command['steps']).includes('outcome-unknown'));

    for (const { acknowledged, vehicle } of trackers) {
      const rows = await system.selectFrom('position').select('fix_at').where('vehicle_id', '=', vehicle.id).execute();
      const stored = rows.map(({ fix_at }) => fix_at.toISOString());
      expect(new Set(stored).size).toBe(stored.length);
      expect(stored).toEqual(expect.arrayContaining(acknowledged));
    }
    const alerts = await system.selectFrom('alert').select(['vehicle_id', 'count']).where('kind', '=', 'sos').execute();
    expect(alerts.map(({ vehicle_id }) => vehicle_id).toSorted((x, y) => (x ?? 0) - (y ?? 0))).toEqual(
      vehicles.map(({ id }) => id).toSorted((x, y) => x - y),
    );
    expect(alerts.map(({ count }) => count)).toEqual(vehicles.map(() => 1));
    // One that was sent by a server that was killed before it could say so comes again, by the same ID.
    const delivered = new Set(hooks.posts.map(({ headers }) => headers['milepost-delivery']));
    expect(delivered).toEqual(new Set((await deliveries()).map(({ id }) => id)));
    expect(new Set((await deliveries()).map(({ alert_id }) => alert_id)).size).toBe(vehicles.length);

    await Promise.all(servers.map((_, n) => kill(n)));
    const directory = await openDirectory(context);
    const figures = openDailyFigures(context, { directory, live: await loadLiveStates(system) });
    for (const vehicle of vehicles) await expectAllCounted(context, figures, vehicle, 2);
    await figures.manager.stop();
    process.stdout.write(
      `${trackers.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)} positions, ${ended.length} commands, ${unsure.length} of them uncertain, ${hooks.posts.length} deliveries of ${delivered.size} alerts, ${exports} exports\n`,
    );
  });
});
