/**
 * `npm run bench -- near [vehicles] [others]`: what a rule about the distance of a folder's vehicles to those of another
 * folder costs, beside figures and visits. All of them report every ten seconds on one road, and are followed as often.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { degrees, fromKilometresPerHour } from '@milepost/units';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { startEmbedded } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { AS_BUILT } from '../apps/server/src/fleet/built-in-alerts.ts';
import { openDirectory } from '../apps/server/src/fleet/directory.ts';
import { loadLiveStates } from '../apps/server/src/fleet/live.ts';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { openVisits } from '../apps/server/src/modules/geofences/visits/visits.ts';
import { openDailyFigures } from '../apps/server/src/modules/history/days/daily-figures.ts';
import { openRuleProjection } from '../apps/server/src/modules/rules/rule-projection.ts';
import { keepPartitions } from '../apps/server/src/tracks/partitions.ts';
import { testContext } from '../apps/server/testing/context.ts';
import { testImei } from '../apps/server/testing/imei.ts';
import { receivedPosition, storePositionsOf } from '../apps/server/testing/stored-positions.ts';
import { table } from './table.ts';

const EVERY_MS = 10_000;
const LOOKS = 30;
/** What is new to the server is looked at first. */
const BEGUN = 6;
const TIMEOUT_MS = 600_000;

export async function run([vehicles = '100', others = '100']: readonly string[]): Promise<void> {
  const [count, against] = [Number(vehicles), Number(others)];
  const rows = [await measured(count, against, false), await measured(count, against, true)];
  const [without, with_] = rows as [Measured, Measured];
  // At every report of one of the two, each vehicle is compared with each other one.
  const comparisons = (2 * count * against) / (EVERY_MS / 1000);
  const extraMs = with_.processorMs + with_.databaseMs - without.processorMs - without.databaseMs;
  const aSecond = Math.round((comparisons * EVERY_MS) / Math.max(extraMs, 1));
  process.stdout.write(
    table(
      ['rule', 'server ms', 'database ms', 'elapsed ms'],
      rows.map(({ name, processorMs, databaseMs, elapsedMs }) => [
        name,
        ...[processorMs, databaseMs, elapsedMs].map(value => value.toFixed(0)),
      ]),
    ),
  );
  process.stdout.write(
    `${count} against ${against}, each 10 s: ${comparisons.toLocaleString('en-US')} comparisons a second are due, ` +
      `${aSecond.toLocaleString('en-US')} fit into a second of processor time\n`,
  );
  process.stdout.write(`${JSON.stringify({ bench: 'near', count, against, rows, comparisons, aSecond })}\n`);
}

interface Measured {
  readonly name: string;
  /** Of ten seconds of the fleet. */
  readonly processorMs: number;
  readonly databaseMs: number;
  readonly elapsedMs: number;
}

async function measured(count: number, against: number, isOn: boolean): Promise<Measured> {
  const { now } = Date;
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const log = pino({ level: 'warn' });
  const database = await startEmbedded({ dataDir, log });
  const db = openDatabases(database.connection);
  try {
    await migrate(db.pool);
    const context = testContext(db);
    (await keepPartitions(db.pool, log)).stop();
    const accountId = await createAccount(db, { name: 'Bench' });
    const folders = await db.system
      .insertInto('folder')
      .values(['Tractors', 'Trailers'].map(name => ({ account_id: accountId, name })))
      .returning('id')
      .execute();
    const [tractors, trailers] = folders.map(({ id }) => id) as [number, number];
    const ids = (
      await db.system
        .insertInto('vehicle')
        .values(
          Array.from({ length: count + against }, (_, n) => ({
            ...{ account_id: accountId, imei: testImei(n), name: `Vehicle ${n}`, device_key_hash: Buffer.alloc(32) },
            folder_id: n < count ? tractors : trailers,
          })),
        )
        .returning('id')
        .execute()
    ).map(({ id }) => id);
    if (isOn) {
      const trigger = { kind: 'near', meters: 200, minutes: 0, otherIds: [], otherFolderIds: [String(trailers)] };
      const { id } = await db.system
        .insertInto('rule')
        .values({
          ...{ account_id: accountId, name: 'Near', is_on: true, severity: 'info', when: null, action: null },
          ...{ is_any_geofence: true, is_inside: true, is_for_all: false, repeat_minutes: 0, mail_to: null },
          ...{ created_by: null, trigger: JSON.stringify(trigger) },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await db.system
        .insertInto('rule_vehicle')
        .values({ account_id: accountId, rule_id: id, folder_id: tractors })
        .execute();
    }
    const directory = await openDirectory(context);
    const live = await loadLiveStates(db.system);
    const roster = {
      isInside: (_: string, __: number, folderId: number | null, of: ReadonlySet<number>) => of.has(folderId ?? 0),
      around: (_: string, __: number, folderId: number | null) => new Set(folderId === null ? [] : [folderId]),
      ...{ driversOf: () => [], settled: () => Promise.resolve() },
    } as never;
    const driving = { of: () => null, seats: () => [] } as never;
    const visits = await openVisits(context, { directory, driving, roster, placeOf: () => null, builtIns: AS_BUILT });
    const rules = await openRuleProjection(context, { directory, driving, roster }, visits.book);
    const { manager } = openDailyFigures(context, { directory, live, visits, rules });
    const spentInDatabase = await databaseTime(db);
    // A clock that goes with the reports: what comes minutes later would be late.
    const start = Date.now() - (LOOKS + BEGUN) * EVERY_MS;
    let clock = start;
    Date.now = () => clock;
    let [processorMs, elapsedMs, before] = [0, 0, 0];
    for (let look = 0; look < LOOKS + BEGUN; look++) {
      const atMs = start + look * EVERY_MS;
      await storePositionsOf(
        { context, live },
        ids.map((vehicleId, n) => ({ accountId, vehicleId, positions: [driven(n, atMs)] })),
      );
      clock = atMs + EVERY_MS;
      if (look === BEGUN) before = await spentInDatabase();
      const [cpu, began] = [process.cpuUsage(), performance.now()];
      await manager.catchUp(accountId, ids, TIMEOUT_MS);
      if (look < BEGUN) continue;
      const used = process.cpuUsage(cpu);
      processorMs += (used.user + used.system) / 1000;
      elapsedMs += performance.now() - began;
    }
    const databaseMs = (await spentInDatabase()) - before;
    await manager.stop();
    return {
      name: isOn ? 'on' : 'none',
      processorMs: processorMs / LOOKS,
      databaseMs: databaseMs / LOOKS,
      elapsedMs: elapsedMs / LOOKS,
    };
  } finally {
    Date.now = now;
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Of the statements of following alone: what stores positions for the bench is left out. */
async function databaseTime(db: ReturnType<typeof openDatabases>): Promise<() => Promise<number>> {
  const { processorSecondsOf } = await import('./processes.ts');
  const { childrenOf } = await import('../apps/server/testing/processes.ts');
  const { rows } = await db.pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const { readFileSync } = await import('node:fs');
  const pid = rows[0]?.pid ?? 0;
  const postmaster = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return async () => childrenOf(postmaster).reduce((sum, child) => sum + processorSecondsOf(child), 0) * 1000;
}

/** Along one road, at different speeds, so that they meet and part. */
const driven = (n: number, atMs: number) =>
  receivedPosition(atMs + (n % 10) * 500, {
    lat: degrees(41.9 + (n % 7) * 0.02),
    lon: degrees(-87.68 + ((n * 0.0137 + ((atMs / 1000) % 3600) * (0.0002 + (n % 5) * 0.00002)) % 0.05)),
    speed: fromKilometresPerHour(60),
    ignition: true,
  });
