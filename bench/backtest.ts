/**
 * `npm run bench -- backtest [vehicles] [days as rows] [part of a rule]`: testing rules on 30 past days of vehicles that
 * report every ten seconds, day and night; days older than some are packed, as on a server that runs for a while.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backtestRule, type NewRule } from '@milepost/contract';
import { degrees, fromKilometresPerHour, metres, percent } from '@milepost/units';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { startEmbedded } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { openDirectory } from '../apps/server/src/fleet/directory.ts';
import { loadLiveStates } from '../apps/server/src/fleet/live.ts';
import { openOrganisation } from '../apps/server/src/fleet/organisation.ts';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { backtest } from '../apps/server/src/modules/rules/backtest.ts';
import { keepPartitions } from '../apps/server/src/tracks/partitions.ts';

import { createWorkers } from '../apps/server/src/workers/workers.ts';
import { testContext } from '../apps/server/testing/context.ts';
import { testImei } from '../apps/server/testing/imei.ts';
import { receivedPosition } from '../apps/server/testing/stored-positions.ts';
import { storePackedDay } from './packed-day.ts';
import { table } from './table.ts';

const DAYS = 31;
/** Vehicles whose days are packed; the others have the same blocks. */
const PACKED = 5;
const GEOFENCES = 1000;
const DAY_MS = 24 * 3_600_000;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const DEPOT = { lat: 41.8, lon: -87.7 };
const log = pino({ level: 'silent' });

export async function run([vehicles = '200', rowDays = '0', only = '']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, log });
  const db = openDatabases(database.connection);
  const context = testContext(db);
  const workers = createWorkers(context.metrics);
  try {
    await migrate(db.pool);
    const accountId = await createAccount(db, { name: 'Bench' });
    const made = await db.system
      .insertInto('vehicle')
      .values(
        Array.from({ length: Number(vehicles) }, (_, n) => ({
          account_id: accountId,
          imei: testImei(n),
          name: `Vehicle ${n}`,
          device_key_hash: Buffer.alloc(32),
        })),
      )
      .returning('id')
      .execute();
    const ids = made.map(({ id }) => id);
    const [depot] = await addFences(db, accountId);
    await fillPacked(db, accountId, ids, Number(rowDays));
    await fillRows(db, accountId, ids, Number(rowDays));
    await db.pool.query('vacuum analyze');
    const directory = await openDirectory(context);
    await context.feed.open();
    const organisation = await openOrganisation(context, directory, await loadLiveStates(db.system));
    const session = { accountId, userId: crypto.randomUUID(), role: 'owner', scope: null, readOnly: false } as const;
    const lines: string[][] = [];
    const figures: Record<string, unknown>[] = [];
    for (const [what, rule] of Object.entries(rulesAbout(String(depot)))) {
      if (!what.includes(only)) continue;
      const [began, used] = [performance.now(), process.cpuUsage()];
      let [first, positions, alerts, after] = [0, 0, 0, null as string | null];
      do {
        const body = backtestRule.body.parse({
          ...{ rule, from: new Date(TODAY - 30 * DAY_MS).toISOString(), to: new Date(TODAY).toISOString(), after },
          variants: [],
        });
        const answer = await backtest(context, { ...organisation, workers }, session as never, body);
        first ||= performance.now() - began;
        alerts += answer.alerts.length;
        positions += answer.vehicles.reduce((sum, each) => sum + each.positions, 0);
        after = answer.next;
      } while (after !== null);
      const took = performance.now() - began;
      const { user, system } = process.cpuUsage(used);
      const row = { what, positions, alerts, firstMs: first, tookMs: took, cpuMs: (user + system) / 1000 };
      figures.push(row);
      lines.push([
        what,
        ...[positions, alerts].map(n => n.toLocaleString('en-US')),
        ...seconds(first, took, row.cpuMs),
      ]);
    }
    process.stdout.write(table(['rule', 'positions', 'alerts', 'first s', 'all s', 'server cpu s'], lines));
    process.stdout.write(`${JSON.stringify({ bench: 'backtest', vehicles: ids.length, rowDays, figures })}\n`);
  } finally {
    await workers.stop();
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const seconds = (...ms: number[]): string[] => ms.map(each => (each / 1000).toFixed(1));

const rulesAbout = (depot: string): Record<string, Omit<NewRule, 'name'>> => ({
  'leaves the depot': { trigger: { kind: 'exit', minutes: 3 }, geofenceIds: [depot] },
  'stays in any of 1,000': { trigger: { kind: 'stay', minutes: 40 } },
  'over 110 km/h': { trigger: { kind: 'speed', kmh: 110, seconds: 30 } },
  'over 85 km/h, often': { trigger: { kind: 'speed', kmh: 85, seconds: 30 } },
  idles: { trigger: { kind: 'idle', minutes: 10 } },
  'drives at night': {
    trigger: { kind: 'drive' },
    when: { days: [1, 2, 3, 4, 5, 6, 7], from: '22:00', to: '04:00', is: 'within' },
  },
  'loses fuel': { trigger: { kind: 'fuel', percent: 10 } },
});

type Db = ReturnType<typeof openDatabases>;

async function addFences({ system }: Db, accountId: number): Promise<number[]> {
  const rows = Array.from({ length: GEOFENCES }, (_, n) => ({
    ...{ account_id: accountId, name: `Place ${n}`, color: 'blue', group_id: null, note: null, created_by: null },
    ...{ is_restricted: false, is_on: true, buffer_m: 25, min_fixes: 2, min_seconds: 60, is_for_all: true },
    shape: JSON.stringify({
      kind: 'circle',
      center: n === 0 ? [DEPOT.lon, DEPOT.lat] : [DEPOT.lon - 1 + Math.random() * 2, DEPOT.lat - 1 + Math.random() * 2],
      radiusM: 200,
    }),
  }));
  return (await system.insertInto('geofence').values(rows).returning('id').execute()).map(({ id }) => id);
}

/** Where it is at a second of the day: at the depot, on a round of 60 km that stops at two customers' for an hour. */
function story(second: number, nth: number) {
  const hour = second / 3600;
  const stops = hour < 5 + (nth % 3) || hour > 15 + (nth % 3) || (hour > 9 && hour < 10) || (hour > 12 && hour < 13);
  const driven = Math.min(Math.max(hour - 5 - (nth % 3), 0), 10);
  const angle = (driven / 10) * 2 * Math.PI + nth;
  const jitter = () => (Math.random() + Math.random() - 1) * 5e-5;
  const round = (value: number) => degrees(Math.round(value * 1e7) / 1e7);
  return {
    lat: round(DEPOT.lat + 0.25 * (Math.sin(angle) - Math.sin(nth)) + jitter()),
    lon: round(DEPOT.lon + 0.25 * (Math.cos(angle) - Math.cos(nth)) + jitter()),
    speed: fromKilometresPerHour(stops ? 0 : Math.round(60 + 30 * Math.sin(second / 900 + nth))),
    ignition: !stops || (hour > 9 && hour < 9.4),
  };
}

async function fillPacked({ pool }: Db, accountId: number, ids: readonly number[], rowDays: number): Promise<void> {
  for (let ago = DAYS; ago > rowDays; ago--) {
    const day = TODAY - ago * DAY_MS;
    for (let nth = 0; nth < PACKED; nth++) {
      const rows = Array.from({ length: 8640 }, (_, i) => {
        const { fixAt, receivedAt, ...rest } = receivedPosition(day + i * 10_000, {
          ...story(i * 10, nth),
          ...{ course: degrees(Math.floor(Math.random() * 360)), odometer: metres(1e6 + i * 10), hdop: 0.9 },
          ...{
            fuel: percent(Math.floor(80 - i / 300)),
            attributes: { externalVoltage: 13.6 + Math.round(Math.random() * 40) / 100 },
          },
        });
        const delay = Math.floor(300 + 900 * Math.random());
        return { ...rest, fix_at: new Date(fixAt), received_at: new Date(receivedAt + delay), late: false, doubts: 0 };
      });
      const vehicles = ids.filter((_, i) => i % PACKED === nth);
      await storePackedDay(pool, { accountId, vehicles, day, rows });
    }
  }
}

async function fillRows({ pool }: Db, accountId: number, ids: readonly number[], rowDays: number): Promise<void> {
  if (rowDays === 0) return;
  const partitions = await keepPartitions(pool, log);
  await partitions.cover([{ position: { fixAt: TODAY - rowDays * DAY_MS } }, { position: { fixAt: TODAY } }]);
  partitions.stop();
  for (let ago = rowDays; ago > 0; ago--) {
    for (let nth = 0; nth < PACKED; nth++) {
      const all = Array.from({ length: 8640 }, (_, i) => ({ at: i * 10, ...story(i * 10, nth) }));
      await pool.query(
        `insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, speed, course, odometer, fuel, hdop,
           satellites, gsm, valid, ignition, late, protocol, attributes)
         select $1, id, $2::timestamptz + s * interval '1 second', $2::timestamptz + s * interval '1.01 second',
           lat, lon, speed, floor(random() * 360), 1e6 + s, floor(80 - s / 3000.0), 0.9, 11, 21, true, ignition, false,
           'teltonika', '{"externalVoltage": 13.7}'
         from unnest($4::int4[], $5::float8[], $6::float8[], $7::float8[], $8::bool[]) report (s, lat, lon, speed, ignition),
           unnest($3::int4[]) id order by s`,
        [
          ...[accountId, new Date(TODAY - ago * DAY_MS), ids.filter((_, i) => i % PACKED === nth)],
          ...[all.map(({ at }) => at), all.map(({ lat }) => lat), all.map(({ lon }) => lon)],
          ...[all.map(({ speed }) => speed), all.map(({ ignition }) => ignition)],
        ],
      );
    }
  }
}
