import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_NOTIFICATION_SETTINGS } from '@milepost/contract';
import { verifyText } from '@milepost/eld';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { checkOut } from '../testing/checkout.ts';
import { testContext } from '../testing/context.ts';
import { setTestControlPassword } from '../testing/control-password.ts';
import { call, type SignedIn, signedIn } from '../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../testing/ingest.ts';
import { type Mailbox, startMailbox } from '../testing/mailbox.ts';
import {
  commandsEnded,
  expectAlertsOnce,
  expectAllDaysCounted,
  expectCommandsOnce,
  expectJobsEnded,
  expectMailedOnce,
  expectRightTimes,
  expectStoredOnce,
} from '../testing/many-nodes/afterwards.ts';
import { Desk, haveReported } from '../testing/many-nodes/desk.ts';
import { FAULTS, type FaultName, randomOf, type Struck, strike } from '../testing/many-nodes/faults.ts';
import { findFakeTime, MachineClock } from '../testing/many-nodes/machine-clock.ts';
import { Phone } from '../testing/many-nodes/phone.ts';
import { Reporter } from '../testing/many-nodes/reporter.ts';
import { Servers } from '../testing/many-nodes/servers.ts';
import { Watcher } from '../testing/many-nodes/watcher.ts';
import { Way } from '../testing/many-nodes/way.ts';
import { findNats, type NatsProcess, startNats, WHY_NO_NATS } from '../testing/nats.ts';
import { childrenOf } from '../testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../testing/scratch.ts';
import { mountSmallDisk, type SmallDisk } from '../testing/small-disk.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { type Databases, openDatabases } from './db/database.ts';
import { runningPostmaster } from './db/embedded/leftover.ts';
import { type EmbeddedDatabase, startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { readNodes } from './db/nodes.ts';
import { prepareJobs } from './jobs/jobs.ts';
import { createSessions } from './modules/accounts/sessions.ts';
import { exportLog } from './modules/logbook/export.ts';

/**
 * CHAOS_SERVERS servers as processes of their own with a database, which are killed, hang, lose each other, have full
 * disks and clocks that jump, for CHAOS_MINUTES. What happens follows from CHAOS_SEED; when it does, also from the
 * machine. Full disks need root, clocks libfaketime: without, those faults are left out. With CHAOS_BESIDE, a commit, the
 * first server is of that version, as in an upgrade of one server after the other.
 */

const MINUTES = Number(process.env.CHAOS_MINUTES ?? 1);
const SEED = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 1e6));
const TRACKERS = Number(process.env.CHAOS_TRACKERS ?? 12);
const SERVERS = Number(process.env.CHAOS_SERVERS ?? 3);
/** A tenth of them, as many drivers; at least one for each server. */
const BROWSERS = Math.max(SERVERS, Math.round(TRACKERS / 10));
const REPORT_EVERY_MS = Number(process.env.CHAOS_REPORT_EVERY_MS ?? 250);
const ENTRY_EVERY_MS = Number(process.env.CHAOS_ENTRY_EVERY_MS ?? 1500);
const BESIDE = process.env.CHAOS_BESIDE;
/** A browser follows as many vehicles at most, each other ones; and as many are told to stop in a round. */
const FOLLOWED = 200;
const TOLD = 60;
/** One of four stands and reports what is: only its engine may be stopped. */
const isParked = (n: number): boolean => n % 4 === 3;
/** Exports leave a part of the disk free. */
const DISK_MB = { database: 3000, folder: 3000 };
/** Once all is mended, what was acknowledged is to be seen everywhere. */
const MENDED = { timeout: 120_000, interval: 100 };

describe.skipIf(!findNats())(`chaos (seed ${SEED})${findNats() ? '' : ` (${WHY_NO_NATS})`}`, () => {
  const databaseDir = makeScratchFolder();
  const dataDir = makeScratchFolder();
  const clocksDir = makeScratchFolder();
  const olderDir = makeScratchFolder();
  const older = BESIDE && join(checkOut(BESIDE, join(olderDir, 'older')), 'apps/server/src/main.ts');
  const random = randomOf(SEED);
  let disks: Struck['disks'] = null;
  let clocks: readonly MachineClock[] = [];
  let embedded: EmbeddedDatabase;
  let db: Databases;
  let nats: NatsProcess;
  let hooks: WebhookReceiver;
  let mailbox: Mailbox;
  let owner: SignedIn;
  let drivers: SignedIn[];
  let ways: Struck['ways'];
  const mqttPorts: number[] = [];
  const servers = new Servers(
    SERVERS,
    n => ({
      DATABASE_URL: through(embedded.url, ways.database[n]),
      NATS_URL: through(nats.url, ways.bus[n]),
      SMTP_URL: mailbox.url,
      DATA_DIR: dataDir,
      ...clocks[n]?.env,
    }),
    (n, port) => {
      mqttPorts[n] = port;
      return ways.trackers[n]?.port ?? 0;
    },
    n => (n === 0 ? older : undefined),
  );

  beforeAll(async () => {
    const log = pino({ level: 'silent' });
    disks = smallDisks({ database: databaseDir, folder: dataDir });
    clocks = machineClocks(clocksDir);
    [embedded, nats, hooks, mailbox] = await Promise.all([
      startEmbedded({ dataDir: databaseDir, log }),
      startNats(),
      startWebhookReceiver(),
      startMailbox(),
    ]);
    db = openDatabases({ connectionString: embedded.url });
    await migrate(db.pool);
    await prepareJobs(db);
    const toAll = (target: (n: number) => number): Promise<Way[]> =>
      Promise.all(Array.from({ length: SERVERS }, (_, n) => Way.to(() => target(n))));
    ways = {
      database: await toAll(() => Number(new URL(embedded.url).port)),
      bus: await toAll(() => Number(new URL(nats.url).port)),
      trackers: await toAll(n => mqttPorts[n] ?? 0),
    };
    const context = testContext(db);
    const sessions = createSessions(context);
    owner = await signedIn({ context, sessions });
    await setTestControlPassword({ context }, owner);
    drivers = [];
    for (let n = 0; n < BROWSERS; n++) {
      const driver = await signedIn({ context, sessions }, { accountId: owner.accountId, role: 'driver' });
      await addDriver(db, driver);
      drivers.push(driver);
    }
    await servers.startAll();
  }, 180_000);
  afterAll(async () => {
    await servers.killAll();
    for (const all of Object.values(ways ?? {})) for (const way of all) await way.close();
    await hooks?.close();
    await mailbox?.close();
    await nats?.stop();
    await db?.close();
    await embedded?.stop();
    for (const disk of Object.values(disks ?? {})) disk.unmount();
    for (const folder of [dataDir, databaseDir, clocksDir, olderDir]) removeScratchFolder(folder);
  });

  it('[I1] [I4] [I6] leaves every acknowledged position and entry and every alert once, no command sent twice, whole chains, and the days, trips and visits of a full count', {
    tags: ['long'],
    timeout: MINUTES * 60_000 + 900_000,
  }, async () => {
    const context = testContext(db);
    const { system } = db;
    const vehicles: TestVehicle[] = [];
    for (let n = 0; n < TRACKERS; n++) vehicles.push(await addVehicle(context, owner.accountId));
    const desk = new Desk(servers, owner);
    await desk.untilKnown(vehicles.at(-1));
    await desk.addWebhook(hooks);
    const recipient = { email: 'ann@example.com', password_hash: 'x' };
    await db.system.updateTable('app_user').set(recipient).where('id', '=', owner.userId).execute();
    const mails = { ...DEFAULT_NOTIFICATION_SETTINGS, mail: true, kinds: ['sos'], escalateAfterMinutes: null };
    expect(
      (
        await call(servers.running[0]?.url ?? '', 'PUT', '/api/v1/notification_settings', {
          token: owner.token,
          body: mails,
        })
      ).status,
    ).toBe(200);
    const yard = { kind: 'circle', center: YARD.center, radiusM: YARD.radiusM };
    expect(await desk.post(0, 'geofence', { name: 'Yard', shape: yard })).toMatchObject({ name: 'Yard' });
    const trackers = vehicles.map(
      (of, n) => new Reporter(of, servers.running, isParked(n), REPORT_EVERY_MS, Math.max(50, TRACKERS)),
    );
    const watchers = Array.from(
      { length: BROWSERS },
      (_, n) => new Watcher(owner, n, followed(vehicles, n), servers.running),
    );
    const phones = drivers.map(
      ({ token }, n) => new Phone(token, vehicles[n]?.id ?? 0, servers.running, ENTRY_EVERY_MS),
    );
    const all = [...trackers, ...watchers, ...phones];
    const began = new Date();
    for (const [n, each] of all.entries()) {
      each.start();
      // As many trackers as a server lets in before they say who they are.
      if (n % 100 === 99) await sleep(TRACKERS);
    }

    await haveReported(trackers, 3, REPORT_EVERY_MS);

    const leader = () => leaderOf(system, servers);
    const struck: Struck = {
      ...{ servers, nats, ways, disks, clocks, leader },
      database: () => databaseProcesses(databaseDir),
    };
    const counts = new Map<FaultName, number>();
    const leaders: number[] = [];
    const silent = [...trackers];
    const until = Date.now() + MINUTES * 60_000;
    do {
      // Some cry out, and some are told to stop, in the middle of it.
      for (const tracker of silent.splice(0, Math.ceil(TRACKERS / 4))) tracker.cryOut();
      const told = trackers
        .filter(() => random() < Math.min(0.3, TOLD / TRACKERS))
        .map(each => desk.control(Math.floor(random() * SERVERS), each));
      const exported = desk.post(Math.floor(random() * SERVERS), 'data/export', { positions: false });
      const faults = await strike(struck, random);
      for (const name of faults) counts.set(name, (counts.get(name) ?? 0) + 1);
      const over = performance.now();
      await Promise.all([...told, exported]);
      await haveReported(trackers, 2, REPORT_EVERY_MS);
      leaders.push(await leader());
      say(`${faults.join(' and ')}; mended after ${Math.round((performance.now() - over) / 1000)} s`);
    } while (Date.now() < until || silent.length > 0);
    await Promise.all(phones.map(each => each.stop()));
    await haveReported(trackers, 3, REPORT_EVERY_MS);

    // Who looks sees what was acknowledged, also at other servers.
    const seen = trackers.map(({ acknowledged, vehicle }) => [vehicle.imei, acknowledged.at(-1) ?? ''] as const);
    await vi.waitFor(() => {
      for (const { follows, newest } of watchers) {
        expect(seen.filter(([imei, time]) => follows.has(imei) && (newest.get(imei) ?? '') < time)).toEqual([]);
      }
    }, MENDED);
    await commandsEnded(system);
    await Promise.all([...trackers, ...watchers].map(each => each.stop()));

    const alerts = await expectAlertsOnce(system, vehicles, hooks);
    const commands = await expectCommandsOnce(system, trackers);
    const stored = await expectStoredOnce(system, trackers);
    const visits = await expectVisits(system, trackers);
    await expectRightTimes(system, began);
    const mailed = await expectMailedOnce(system, mailbox, alerts);
    await expectJobsEnded(system, () => desk.post(0, 'data/export', { positions: false }));
    await servers.killAll();
    await expectAllDaysCounted(context, vehicles);
    for (const { taken } of phones) expect(taken.length).toBeGreaterThan(1);
    const entries = await expectWholeLogs(db, owner.accountId, phones);

    const acknowledged = trackers.reduce((sum, each) => sum + each.acknowledged.length, 0);
    const messages = watchers.reduce((sum, each) => sum + each.messages, 0);
    const faults = Object.keys(FAULTS).map(name => `${counts.get(name as FaultName) ?? 0} × ${name}`);
    say(
      `seed ${SEED}, ${MINUTES} min${BESIDE ? ` beside ${BESIDE}` : ''}, ${TRACKERS} trackers, ${BROWSERS} browsers: ${faults.join(', ')}; ${acknowledged} positions acknowledged, ${stored} stored, ${alerts} alerts in ${mailed} mails, ${commands.all} commands (${commands.unsure} uncertain), ${entries} entries of logs (${phones.flatMap(({ taken }) => taken).length} by phones, ${phones.flatMap(({ refused }) => refused).length} refused), ${visits} visits, ${messages} live messages; another led ${leaders.filter((one, n) => n > 0 && one !== leaders[n - 1]).length} times`,
    );
  });
});

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Of a browser: all of a small fleet, and of a large one its share in turn, so that every vehicle is followed by some. */
function followed(vehicles: readonly TestVehicle[], browser: number): readonly TestVehicle[] {
  if (vehicles.length <= FOLLOWED) return vehicles;
  const from = (browser * FOLLOWED) % vehicles.length;
  return [...vehicles, ...vehicles].slice(from, from + FOLLOWED);
}

/** Where every vehicle that drives comes through. */
const YARD = { center: [-87.68, 41.51] as const, lat: 41.51, radiusM: 300 };
const METERS_PER_DEGREE = 111_195;

/** One for each vehicle that was there, from its first report in it. */
async function expectVisits(system: Databases['system'], reporters: readonly Reporter[]): Promise<number> {
  const expected: { vehicle: number; from: number }[] = [];
  for (const { vehicle } of reporters) {
    const rows = await system
      .selectFrom('position')
      .select(['fix_at', 'lat'])
      .where('vehicle_id', '=', vehicle.id)
      .orderBy('fix_at')
      .execute();
    const first = rows.find(({ lat }) => Math.abs(lat - YARD.lat) * METERS_PER_DEGREE < YARD.radiusM);
    if (first) expected.push({ vehicle: vehicle.id, from: first.fix_at.getTime() });
  }
  await vi.waitFor(async () => {
    const visits = await system.selectFrom('visit').select(['vehicle_id', 'in_at']).orderBy('vehicle_id').execute();
    expect(visits.map(({ vehicle_id }) => vehicle_id)).toEqual(
      expected.map(({ vehicle }) => vehicle).toSorted((x, y) => x - y),
    );
    // Between two reports, or a report off at the edge of the circle.
    for (const { in_at, vehicle_id } of visits) {
      const from = expected.find(({ vehicle }) => vehicle === vehicle_id)?.from ?? 0;
      expect(Math.abs(in_at.getTime() - from)).toBeLessThanOrEqual(2000);
    }
  }, MENDED);
  return expected.length;
}

/**
 * Every entry that a phone was told is taken is there once, what phones signed is whole, and whoever gets the logs can
 * verify them.
 */
async function expectWholeLogs(db: Databases, accountId: number, phones: readonly Phone[]): Promise<number> {
  const inputs = await db.system.selectFrom('duty_input').select('id').where('account_id', '=', accountId).execute();
  const ids = inputs.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(phones.flatMap(({ taken }) => taken)));
  const signed = await db.system.selectFrom('duty_signature').select(['phone_id', 'finding']).execute();
  expect(signed.filter(({ finding }) => finding !== null)).toEqual([]);
  for (const { answered, id } of phones) expect(signed.filter(({ phone_id }) => phone_id === id).length).toBe(answered);
  const logs = await db.system
    .selectFrom('duty_entry')
    .select('log')
    .distinct()
    .where('account_id', '=', accountId)
    .execute();
  let entries = 0;
  for (const { log } of logs) {
    const text = await db.asAccount(accountId, trx => exportLog(trx, log, Date.now()));
    const verdict = verifyText(text ?? '');
    expect(verdict).toMatchObject({ ok: true });
    if (verdict.ok && 'log' in verdict) entries += verdict.log.entries;
  }
  return entries;
}

async function addDriver(db: Databases, { accountId, userId }: SignedIn): Promise<void> {
  const { id } = await db.system
    .insertInto('driver')
    .values({ account_id: accountId, name: 'Driver', user_id: userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const settings = { account_id: accountId, driver_id: id, keeps_log: true, personal_use: true };
  await db.system.insertInto('log_setting').values(settings).execute();
}

/** Null where there can't be any. */
function smallDisks(folders: Record<'database' | 'folder', string>): Struck['disks'] {
  const mounted = (name: keyof typeof folders): SmallDisk | null => {
    const disk = mountSmallDisk(folders[name], DISK_MB[name]);
    if ('reason' in disk) say(`No full disks: ${disk.reason}`);
    return 'reason' in disk ? null : disk;
  };
  const database = mounted('database');
  const folder = database && mounted('folder');
  return database && folder && { database, folder };
}

/** One for each server; empty where there can't be any. */
function machineClocks(folder: string): MachineClock[] {
  const library = findFakeTime();
  if (!library) say('No clocks that jump: libfaketime is not installed');
  return library ? Array.from({ length: SERVERS }, (_, n) => new MachineClock(join(folder, `${n}`), library)) : [];
}

async function leaderOf(system: Databases['system'], { running }: Servers): Promise<number> {
  const nodes = await readNodes(system).catch(() => []);
  const address = nodes.find(({ leads }) => leads)?.address;
  return running.findIndex(server => server !== null && server.url === address);
}

function databaseProcesses(dataDir: string): number[] {
  const postmaster = runningPostmaster(join(dataDir, 'database'));
  return postmaster ? [postmaster.pid, ...childrenOf(postmaster.pid)] : [];
}

function through(address: string, way: Way | undefined): string {
  const url = new URL(address);
  url.port = String(way?.port ?? 0);
  return url.href;
}
