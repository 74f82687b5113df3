/**
 * `npm run bench -- seal [months]`: what packing days of positions saves and costs. Twenty vehicles, a fiftieth of a fleet
 * of 1,000, that report every ten seconds day and night, month by month; then a month of one vehicle is read before and
 * after it is packed.
 */
import type { Pool } from 'pg';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { trackFile } from '../apps/server/src/modules/history/track.ts';
import { fixesAround } from '../apps/server/src/tracks/fixes.ts';
import { keepPartitions } from '../apps/server/src/tracks/partitions.ts';
import { sealOldDays } from '../apps/server/src/tracks/seal.ts';
import { packDay } from '../apps/server/src/tracks/sealed-day.ts';
import { startServer } from './ingest/server-under-test.ts';
import { table } from './table.ts';

const VEHICLES = 20;
/** Of the fleet that they stand for. */
const SCALE = 50;
const DAY_MS = 24 * 3_600_000;
const REPORTS_A_DAY = 8640;
const MONTH_DAYS = 30;
const log = pino({ level: 'silent' });

/** How good receivers are, and how regular their reports. */
const RECEIVERS = {
  /** A meter of noise, reports to the second. */
  steady: { noise: 1e-5, jitterMs: 0 },
  /** Ten meters, and reports that come when they come. */
  noisy: { noise: 1e-4, jitterMs: 4000 },
} as const;

/** A month's track as it is sent to a browser, before compression. */
interface TrackRead {
  readonly ms: number;
  readonly bytes: number;
}

interface Reading {
  /** Every fix with what figures are made of, in milliseconds. */
  readonly readRows: number;
  readonly readSealed: number;
  readonly trackOfRows: TrackRead;
  readonly trackPacked: TrackRead;
  /** Only what a map of a city shows. */
  readonly trackDrawn: TrackRead;
}

interface Figures {
  readonly month: number;
  readonly positions: number;
  readonly rowBytes: number;
  readonly sealedBytes: number;
  readonly trackBytes: { readonly steady: number; readonly noisy: number };
  /** Of one core, for the whole fleet, all day long. */
  readonly shareOfCore: { readonly server: number; readonly database: number };
}

export async function run([months = '2']: readonly string[]): Promise<void> {
  const server = await startServer({ vehicles: VEHICLES, browsers: 0 });
  const databases = openDatabases({ connectionString: server.databaseUrl });
  const { pool } = databases;
  const figures: Figures[] = [];
  try {
    const { rows: vehicles } = await pool.query<{ id: number; account_id: number }>(
      'select id, account_id from vehicle order by id',
    );
    const partitions = await keepPartitions(pool, log);
    partitions.stop();
    const first = Math.floor(Date.now() / DAY_MS) * DAY_MS - (Number(months) * MONTH_DAYS + 8) * DAY_MS;
    let readRows = 0;
    let readSealed = 0;
    const nothing: TrackRead = { ms: 0, bytes: 0 };
    let [trackOfRows, trackPacked, trackDrawn] = [nothing, nothing, nothing];
    for (let month = 0; month < Number(months); month++) {
      const from = first + month * MONTH_DAYS * DAY_MS;
      await partitions.cover([{ position: { fixAt: from } }, { position: { fixAt: from + MONTH_DAYS * DAY_MS } }]);
      const before = await sizeOf(pool, 'position%');
      for (const [index, vehicle] of vehicles.entries()) {
        await fill(pool, vehicle, from, index % 2 === 0 ? RECEIVERS.steady : RECEIVERS.noisy);
      }
      const filled = await sizeOf(pool, 'position%');
      const vehicleId = vehicles[0]?.id ?? 0;
      const read = async (): Promise<number> => {
        const began = performance.now();
        await fixesAround(databases.system, vehicleId, new Date(from), new Date(from + MONTH_DAYS * DAY_MS));
        return performance.now() - began;
      };
      const readTrack = async (zoom?: number): Promise<TrackRead> => {
        const began = performance.now();
        const columns = ['speed', 'course', 'ignition'] as const;
        const to = new Date(from + MONTH_DAYS * DAY_MS - 1);
        const vehicle = { id: vehicleId, accountId: vehicles[0]?.account_id ?? 0 };
        let bytes = 0;
        const options = { from: new Date(from), to, columns, zoom, isSeen: () => true };
        for await (const piece of trackFile(databases, vehicle, options)) bytes += piece.length;
        return { ms: Math.round(performance.now() - began), bytes };
      };
      await read();
      readRows = await read();
      await readTrack();
      trackOfRows = await readTrack();
      const [cpu, spent] = [process.cpuUsage(), server.processorTime()];
      const sealing = { pool, log, pack: async (rows: Parameters<typeof packDay>[0]) => packDay(rows) };
      const { positions } = await sealOldDays({
        ...sealing,
        afterDays: 2,
        withinMs: Number.POSITIVE_INFINITY,
        isStopped: () => false,
      });
      const [used, after] = [process.cpuUsage(cpu), server.processorTime()];
      await read();
      readSealed = await read();
      await readTrack();
      trackPacked = await readTrack();
      trackDrawn = await readTrack(11);
      const share = (seconds: number): number =>
        Math.round((seconds / MONTH_DAYS / (DAY_MS / 1000)) * SCALE * 10_000) / 10_000;
      figures.push({
        month: month + 1,
        positions,
        rowBytes: Math.round((filled - before) / positions),
        sealedBytes: Math.round(((await sizeOf(pool, 'sealed_day')) / positions / (month + 1)) * 10) / 10,
        trackBytes: { steady: await trackBytes(pool, 0), noisy: await trackBytes(pool, 1) },
        shareOfCore: {
          server: share((used.user + used.system) / 1e6),
          database: share(after.database - spent.database),
        },
      });
    }
    const tracks = { trackOfRows, trackPacked, trackDrawn };
    print(figures, { readRows: Math.round(readRows), readSealed: Math.round(readSealed), ...tracks });
  } finally {
    await databases.close();
    await server.stop();
  }
}

/** A month of a vehicle that drives through a city by day and stands at night. */
async function fill(
  pool: Pool,
  { id, account_id }: { readonly id: number; readonly account_id: number },
  fromMs: number,
  { noise, jitterMs }: (typeof RECEIVERS)[keyof typeof RECEIVERS],
): Promise<void> {
  await pool.query(
    `insert into position (account_id, vehicle_id, fix_at, received_at, lat, lon, speed, course, altitude, odometer, fuel,
       hdop, satellites, gsm, valid, ignition, late, protocol, attributes)
     select $1, $2, at, at + (300 + floor(random() * 900)) * interval '1 millisecond',
       round((41.8 + 0.1 * sin(n / 900.0) * (drives::int) + (random() + random() - 1) * $5)::numeric, 7),
       round((-87.7 + 0.1 * cos(n / 1100.0) * (drives::int) + (random() + random() - 1) * $5)::numeric, 7),
       case when drives then round(40 + 30 * sin(n / 40.0) + 4 * random()) / 3.6 else 0 end,
       case when drives then floor(180 + 90 * sin(n / 60.0) + 10 * random()) else 0 end,
       180 + floor(4 * random()), 1e6 + n * 10, floor(80 - (n % 8640) / 200.0),
       round((0.7 + 0.4 * random())::numeric, 1), 8 + floor(6 * random()), 18 + floor(6 * random()),
       true, drives, false, 'teltonika',
       jsonb_build_object('externalVoltage', round((13.6 + 0.4 * random())::numeric, 2), 'io200', floor(3 * random()))
     from (
       select n, (n % 8640) between 2160 and 6480 as drives,
         $3::timestamptz + n * interval '10 seconds' + floor(random() * $6) * interval '1 millisecond' as at
       from generate_series(0, $4 - 1) n
     ) report`,
    [account_id, id, new Date(fromMs), MONTH_DAYS * REPORTS_A_DAY, noise, jitterMs],
  );
  await pool.query(
    `insert into vehicle_state (vehicle_id, account_id, heard_at, live) values ($1, $2, now(), $3)
     on conflict (vehicle_id) do update set live = excluded.live`,
    [id, account_id, JSON.stringify({ fixAt: fromMs + MONTH_DAYS * DAY_MS + DAY_MS })],
  );
}

async function sizeOf(pool: Pool, name: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    `select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
     where relname like $1 and relkind = 'r' and relnamespace = 'public'::regnamespace`,
    [name],
  );
  return Number(rows[0]?.bytes);
}

/** Of a block, for a position; without what the table adds. */
async function trackBytes(pool: Pool, remainder: number): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    `select sum(length(track))::float8 / sum(positions) as bytes
     from (select *, row_number() over (partition by day order by vehicle_id) as place from sealed_day) one
     where place % 2 = 1 - $1`,
    [remainder],
  );
  return Math.round((rows[0]?.bytes ?? 0) * 10) / 10;
}

function print(figures: readonly Figures[], reading: Reading): void {
  process.stdout.write(
    table(
      ['month', 'positions', 'row bytes', 'sealed bytes', 'steady', 'noisy', 'server', 'database'],
      figures.map(({ month, positions, rowBytes, sealedBytes, trackBytes: bytes, shareOfCore }) => [
        ...[month, positions, rowBytes, sealedBytes, bytes.steady, bytes.noisy].map(String),
        ...[shareOfCore.server, shareOfCore.database].map(share => `${(share * 100).toFixed(2)} %`),
      ]),
    ),
  );
  const { readRows, readSealed, trackOfRows, trackPacked, trackDrawn } = reading;
  const track = ({ ms, bytes }: TrackRead): string => `${ms} ms (${Math.round(bytes / 1000)} kB)`;
  process.stdout.write(`A month of one vehicle, as fixes: ${readRows} ms from rows, ${readSealed} ms packed\n`);
  process.stdout.write(
    `Its track: ${track(trackOfRows)} from rows, ${track(trackPacked)} packed, ${track(trackDrawn)} as drawn\n\n`,
  );
  process.stdout.write(`${JSON.stringify({ bench: 'seal', figures, ...reading })}\n`);
}
