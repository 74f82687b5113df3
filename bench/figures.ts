/**
 * `npm run bench -- figures [vehicles] [geofences] [rules]`: what keeping days and trips up to date costs, with geofences
 * the visits, too, and with rules their alerts. A fleet reports every ten seconds, and its figures are read once a minute; then single positions come
 * late into days of 8,640.
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
import { receivedPosition, storePositions } from '../apps/server/testing/stored-positions.ts';
import { table } from './table.ts';
import { geofencesOf, rulesOf } from './watched.ts';

const MINUTES = 10;
const EVERY_MS = 10_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LATE_VEHICLES = 10;
const TIMEOUT_MS = 600_000;

interface Cost {
  readonly what: string;
  readonly times: number;
  /** Of the server's thread, and until it is done. */
  readonly processorMs: number;
  readonly elapsedMs: number;
}

export async function run([vehicles = '1000', geofences, rules = '0']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const log = pino({ level: 'warn' });
  const database = await startEmbedded({ dataDir, log });
  const db = openDatabases(database.connection);
  try {
    await migrate(db.pool);
    const context = testContext(db);
    const partitions = await keepPartitions(db.pool, log);
    partitions.stop();
    const accountId = await createAccount(db, { name: 'Bench' });
    const rows = Array.from({ length: Number(vehicles) }, (_, n) => ({
      account_id: accountId,
      imei: testImei(n),
      name: `Vehicle ${n}`,
      device_key_hash: Buffer.alloc(32),
    }));
    const ids = (await db.system.insertInto('vehicle').values(rows).returning('id').execute()).map(({ id }) => id);
    const directory = await openDirectory(context);
    const live = await loadLiveStates(db.system);
    const manager = await (async () => {
      if (geofences === undefined) return openDailyFigures(context, { directory, live }).manager;
      const all = geofencesOf(accountId, Number(geofences));
      for (let i = 0; i < all.length; i += 1000) {
        const some = all.slice(i, i + 1000);
        await db.system.insertInto('geofence').values(some).execute();
      }
      const roster = { isInside: () => false, driversOf: () => [], settled: () => Promise.resolve() } as never;
      const driving = { of: () => null, seats: () => [] } as never;
      const visits = await openVisits(context, { directory, driving, roster, placeOf: () => null, builtIns: AS_BUILT });
      if (rules === '0') return openDailyFigures(context, { directory, live, visits }).manager;
      await db.system
        .insertInto('rule')
        .values(rulesOf(accountId, Number(rules)))
        .execute();
      const watched = await openRuleProjection(context, { directory, driving, roster }, visits.book);
      return openDailyFigures(context, { directory, live, visits, rules: watched }).manager;
    })();
    const measure = async (what: string, times: number, work: () => Promise<void>): Promise<Cost> => {
      const [cpu, began] = [process.cpuUsage(), performance.now()];
      await work();
      const used = process.cpuUsage(cpu);
      return { what, times, processorMs: (used.user + used.system) / 1000, elapsedMs: performance.now() - began };
    };
    const catchUp = (what: string, of: readonly number[]): Promise<Cost> =>
      measure(what, of.length, () => manager.catchUp(accountId, of, TIMEOUT_MS));
    const store = (id: number, fromMs: number, count: number) =>
      storePositions({ context, live }, accountId, id, drive(fromMs, count));

    const now = Date.now();
    const start = now - (MINUTES + 2) * MINUTE_MS;
    const costs: Cost[] = [];
    for (let minute = 0; minute <= MINUTES; minute++) {
      for (const id of ids) await store(id, start + minute * MINUTE_MS, MINUTE_MS / EVERY_MS);
      const cost = await catchUp('a minute of the fleet', ids);
      // The first loads every vehicle.
      if (minute > 0) costs.push(cost);
    }
    const late = ids.slice(0, LATE_VEHICLES);
    const day = Math.floor(now / DAY_MS) * DAY_MS - 3 * DAY_MS;
    for (const id of late) await store(id, day, DAY_MS / EVERY_MS - 1);
    costs.push(await catchUp('a day of 8,640 positions that came late', late));
    for (const id of late) await store(id, day + DAY_MS / 2 + 5000, 1);
    costs.push(await catchUp('one position that came late into it', late));
    costs.push(await measure('writing what was counted', ids.length, () => manager.stop()));

    const figures = [...Map.groupBy(costs, ({ what }) => what)].map(([what, all]) => {
      const mean = (of: (cost: Cost) => number): number =>
        Math.round((all.reduce((sum, cost) => sum + of(cost), 0) / all.length) * 10) / 10;
      return {
        what,
        times: all[0]?.times ?? 0,
        processorMs: mean(c => c.processorMs),
        elapsedMs: mean(c => c.elapsedMs),
      };
    });
    process.stdout.write(
      table(
        ['what', 'vehicles', 'processor ms', 'elapsed ms'],
        figures.map(({ what, ...cost }) => [what, ...Object.values(cost).map(String)]),
      ),
    );
    process.stdout.write(`${JSON.stringify({ bench: 'figures', vehicles: ids.length, geofences, rules, figures })}\n`);
  } finally {
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** To and fro at 60 km/h, with a halt of ten minutes an hour. */
const drive = (fromMs: number, count: number) =>
  Array.from({ length: count }, (_, i) => {
    const atMs = fromMs + i * EVERY_MS;
    const isDriving = atMs % (60 * MINUTE_MS) < 50 * MINUTE_MS;
    const wayKm = Math.abs((((atMs / MINUTE_MS) % 100) + 100) % 100);
    return receivedPosition(atMs, {
      lon: degrees(-87.68 + Math.min(wayKm, 100 - wayKm) / 82.85),
      speed: fromKilometresPerHour(isDriving ? 60 : 0),
      ignition: isDriving,
    });
  });
