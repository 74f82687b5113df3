/**
 * `npm run bench -- time-travel [vehicles]`: the fleet at a moment of the past 30 days. Every vehicle reports each 10 s
 * for seven and a quarter hours a day, and each 10 minutes while parked; days older than two are packed.
 */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RouteAnswer, readFleetAt } from '@milepost/contract';
import { degrees, fromKilometresPerHour, metres } from '@milepost/units';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { startEmbedded } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { openDirectory } from '../apps/server/src/fleet/directory.ts';
import { loadLiveStates } from '../apps/server/src/fleet/live.ts';
import { openOrganisation } from '../apps/server/src/fleet/organisation.ts';
import { reportContextOf } from '../apps/server/src/ingest/report.ts';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { openPlaces } from '../apps/server/src/modules/places/places.ts';
import { registerTimeTravel } from '../apps/server/src/modules/time-travel/routes.ts';
import { keepPartitions } from '../apps/server/src/tracks/partitions.ts';
import { packDay } from '../apps/server/src/tracks/sealed-day.ts';
import { testContext } from '../apps/server/testing/context.ts';
import { testImei } from '../apps/server/testing/imei.ts';
import { receivedPosition } from '../apps/server/testing/stored-positions.ts';
import { table } from './table.ts';

const DAYS = 30;
const ROW_DAYS = 2;
const ROUNDS = 5;
/** Vehicles whose days are packed; the others have the same blocks. */
const PACKED = 10;
const DAY_MS = 24 * 3_600_000;
const TODAY = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const log = pino({ level: 'silent' });

/** Seconds of the day at which it reports; it drives from 06:00 to 14:00 with two breaks. */
const TIMES = Array.from({ length: 8640 }, (_, i) => i * 10).filter(s => drives(s) || s % 600 === 0);
function drives(s: number): boolean {
  const h = s / 3600;
  return h >= 6 && h < 14 && !(h >= 9 && h < 9.25) && !(h >= 11.5 && h < 12);
}

export async function run([vehicles = '500']: readonly string[]): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, log });
  const db = openDatabases(database.connection);
  try {
    await migrate(db.pool);
    const context = testContext(db);
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
    await fillPacked(db, accountId, ids);
    await fillRows(db, accountId, ids);
    await db.pool.query('analyze');
    const directory = await openDirectory(context);
    const live = await loadLiveStates(db.system);
    await context.feed.open();
    const organisation = await openOrganisation(context, directory, live);
    const reportContext = reportContextOf(await openPlaces(), organisation.roster);
    const session = { accountId, userId: crypto.randomUUID(), role: 'owner', scope: null, readOnly: false } as const;
    let handler: ((call: unknown) => Promise<RouteAnswer<typeof readFleetAt>>) | undefined;
    const http = {
      handle: (_route: unknown, handle: never) => {
        handler = handle;
      },
    };
    registerTimeTravel(http as never, context, { ...organisation, reportContext });

    const lines: string[][] = [];
    const figures: Record<string, number> = {};
    for (const [what, ago] of [
      ['packed', 20],
      ['rows', 1],
    ] as const) {
      for (const hour of [5, 12.5, 13.9, 22]) {
        const at = new Date(TODAY - ago * DAY_MS + hour * 3_600_000).toISOString();
        const times: number[] = [];
        const cpu: number[] = [];
        const statuses: Record<string, number> = {};
        for (let round = 0; round < ROUNDS; round++) {
          const [began, used, spent] = [performance.now(), process.cpuUsage(), await databaseMs(db)];
          const picture = await handler?.({ session, query: { at } });
          JSON.stringify(picture);
          times.push(performance.now() - began);
          const { user, system } = process.cpuUsage(used);
          cpu.push((user + system) / 1000, (await databaseMs(db)) - spent);
          if (round > 0) continue;
          for (const { status, isSinceAtLeast } of picture?.vehicles ?? []) {
            const name = isSinceAtLeast ? `${status}?` : status;
            statuses[name] = (statuses[name] ?? 0) + 1;
          }
        }
        const median = Math.round(times.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0);
        const medianOf = (values: readonly number[]): number =>
          Math.round(values.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0);
        const [server, database] = [0, 1].map(nth => medianOf(cpu.filter((_, i) => i % 2 === nth)));
        figures[`${what} ${hour}`] = median;
        lines.push([what, ...[hour, JSON.stringify(statuses), median, server, database].map(String)]);
      }
    }
    process.stdout.write(table(['from', 'hour', 'statuses', 'median ms', 'server cpu ms', 'database cpu ms'], lines));
    process.stdout.write(`${JSON.stringify({ bench: 'time-travel', vehicles: ids.length, figures })}\n`);
  } finally {
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

type Db = ReturnType<typeof openDatabases>;

/** Processor time of the database's connections so far. */
async function databaseMs({ pool }: Db): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity');
  return rows.reduce((sum, { pid }) => {
    const stat = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : '';
    const [user = '0', system = '0'] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return sum + (Number(user) + Number(system)) * 10;
  }, 0);
}

async function fillPacked({ pool }: Db, accountId: number, ids: readonly number[]): Promise<void> {
  for (let ago = DAYS; ago > ROW_DAYS; ago--) {
    const day = TODAY - ago * DAY_MS;
    for (let nth = 0; nth < PACKED; nth++) {
      const rows = TIMES.map(s => {
        const isDriving = drives(s);
        const { fixAt, receivedAt, ...rest } = receivedPosition(day + s * 1000 + nth * 1000, {
          lat: degrees(Math.round((41.8 + 0.1 * Math.sin(s / 9000 + nth) + Math.random() * 1e-4) * 1e7) / 1e7),
          lon: degrees(Math.round((-87.7 + 0.1 * Math.cos(s / 11_000 + nth) + Math.random() * 1e-4) * 1e7) / 1e7),
          speed: fromKilometresPerHour(isDriving ? Math.round(60 + 20 * Math.sin(s / 400)) : 0),
          course: degrees(Math.floor(180 + 90 * Math.sin(s / 600))),
          odometer: metres(1e6 + s * 10),
          ignition: isDriving,
        });
        return { ...rest, fix_at: new Date(fixAt), received_at: new Date(receivedAt), late: false, doubts: 0 };
      });
      const packed = packDay(rows as Parameters<typeof packDay>[0]);
      if (!packed) throw new Error('The day could not be packed');
      await pool.query(
        `insert into sealed_day (account_id, vehicle_id, day, from_at, to_at, positions, believed, track)
         select $1, id, $2, $3, $4, $5, $6, $7 from unnest($8::int4[]) id`,
        [
          accountId,
          new Date(day).toISOString().slice(0, 10),
          rows[0]?.fix_at,
          rows.at(-1)?.fix_at,
          rows.length,
          packed.believed,
          packed.track,
          ids.filter((_, i) => i % PACKED === nth),
        ],
      );
    }
  }
}

async function fillRows({ pool }: Db, accountId: number, ids: readonly number[]): Promise<void> {
  const from = TODAY - ROW_DAYS * DAY_MS;
  const partitions = await keepPartitions(pool, log);
  await partitions.cover([{ position: { fixAt: from } }, { position: { fixAt: TODAY } }]);
  partitions.stop();
  const times = Array.from({ length: ROW_DAYS }, (_, day) => TIMES.map(s => day * 86_400 + s)).flat();
  const moving = times.map(s => drives(s % 86_400));
  await pool.query(
    `insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, speed, course, odometer, fuel, hdop,
       satellites, gsm, valid, ignition, late, protocol, attributes)
     select $1, id, $2::timestamptz + s * interval '1 second', $2::timestamptz + s * interval '1 second' + interval '800 ms',
       41.8 + 0.1 * sin(s / 9000.0 + id), -87.7 + 0.1 * cos(s / 11000.0 + id), case when moving then 17 else 0 end,
       floor(180 + 90 * sin(s / 600.0)), 1e6 + s * 10, 64.5, 0.9, 11, 21, true, moving, false, 'teltonika',
       '{"externalVoltage": 12.6}'
     from unnest($4::int4[], $5::bool[]) report (s, moving), unnest($3::int4[]) id`,
    [accountId, new Date(from), ids, times, moving],
  );
}
