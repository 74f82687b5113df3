/**
 * `npm run bench -- soak [MINUTES [TRACKERS [BROWSERS]]]`: a server at a steady load for as long as you like. How its
 * memory changes, with the error of that figure, and which tables grow: none may but those of the past.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { readyLoad, subscribers } from './ingest/processes.ts';
import { DEVICE_KEY, type ServerUnderTest, startServer } from './ingest/server-under-test.ts';
import { type Slope, slopeOf } from './soak/slope.ts';
import { table } from './table.ts';

const MINUTES = 60;
const TRACKERS = 1000;
const BROWSERS = 100;
const REPORT_EVERY_S = 10;
const SAMPLE_EVERY_MS = 5000;
const MINUTE_MS = 60_000;
/** Until code is compiled, caches are full and every vehicle has been looked at. */
const WARM_SHARE = 1 / 3;
/** More rows than this a minute is growth. */
const STEADY_ROWS = 1;

/** What grows because time goes by, and is packed or forgotten later, with how long it is kept. */
const PAST: readonly (readonly [table: RegExp, kept: string])[] = [
  [
    /^position(_\d+_\d+|_default)?$|^(sealed_day|vehicle_day|trip_day|trip_part|visit|visit_day|alert)$/,
    'as positions are',
  ],
  [/^driven_road(_through)?$/, 'places of 90 days'],
  [/^change$/, 'two days'],
  [/^job_common$/, 'an hour'],
];
const keptOf = (name: string): string | null => PAST.find(([pattern]) => pattern.test(name))?.[1] ?? null;

const GAUGES = {
  heap: 'nodejs_heap_size_used_bytes',
  external: 'nodejs_external_memory_bytes',
  resident: 'process_resident_memory_bytes',
} as const;
type Gauge = keyof typeof GAUGES;
type Sample = Readonly<Record<Gauge, number>> & { readonly ms: number };

export async function run([
  minutes = String(MINUTES),
  trackers = String(TRACKERS),
  browsers = String(BROWSERS),
]: readonly string[]): Promise<void> {
  const server = await startServer({ vehicles: Number(trackers), browsers: Number(browsers) });
  try {
    await soak(server, Number(minutes) * MINUTE_MS);
  } finally {
    await server.stop();
  }
}

async function soak(server: ServerUnderTest, forMs: number): Promise<void> {
  const { browsers, imeis } = server;
  const epochMs = Date.now();
  const watching = await subscribers({ url: server.url, browsers, imeis, epochMs });
  const load = await readyLoad({
    ...{
      transport: 'teltonika',
      port: server.ports.teltonika ?? 0,
      imeis,
      deviceKey: DEVICE_KEY,
      perMessage: 1,
      epochMs,
    },
    rate: imeis.length / REPORT_EVERY_S,
    messagesPerTracker: Math.ceil(forMs / 1000 / REPORT_EVERY_S),
    firstFixMs: Math.floor((Date.now() - forMs) / 1000) * 1000,
  });
  const loading = load.go();
  const began = performance.now();
  const samples: Sample[] = [];
  const sampleUntil = async (ms: number): Promise<void> => {
    while (performance.now() - began < ms) {
      samples.push({ ms: performance.now() - began, ...(await gaugesOf(server)) });
      await sleep(SAMPLE_EVERY_MS);
    }
  };
  await sampleUntil(forMs * WARM_SHARE);
  const before = await rowsOf(server.databaseUrl);
  const warmed = performance.now() - began;
  await sampleUntil(forMs);
  const after = await rowsOf(server.databaseUrl);
  const { positions } = await loading;
  const { messages } = await watching.count();
  watching.end();

  const measuredMinutes = (performance.now() - began - warmed) / MINUTE_MS;
  const grown = [...after].flatMap(([name, rows]) => {
    const perMinute = (rows - (before.get(name) ?? 0)) / measuredMinutes;
    return perMinute > STEADY_ROWS ? [{ name, perMinute: Math.round(perMinute), kept: keptOf(name) }] : [];
  });
  const warm = leastOfEachMinute(samples.filter(({ ms }) => ms > warmed));
  const slopes = Object.fromEntries(
    (Object.keys(GAUGES) as Gauge[]).map(gauge => [
      gauge,
      slopeOf(warm.map(sample => ({ ms: sample.ms, value: sample[gauge] }))),
    ]),
  ) as Record<Gauge, Slope>;
  const first = warm[0];
  const last = warm.at(-1);
  process.stdout.write(
    table(
      ['memory, MB', 'after warming', 'at the end', 'MB an hour', '± one error'],
      (Object.keys(GAUGES) as Gauge[]).map(gauge => [
        gauge,
        ...[first?.[gauge], last?.[gauge], slopes[gauge].perHour, slopes[gauge].error].map(value =>
          (value ?? 0).toFixed(1),
        ),
      ]),
    ),
  );
  process.stdout.write(
    table(
      ['table', 'rows a minute', 'past'],
      grown.map(({ kept, name, perMinute }) => [name, `${perMinute}`, kept ?? 'FOR EVER']),
    ),
  );
  const minutes = Math.round(forMs / MINUTE_MS);
  const figures = { minutes, trackers: imeis.length, browsers: browsers.length, positions, messages, slopes, grown };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  const isSteeper = ({ error, perHour }: Slope): boolean => perHour > 3 * error;
  if (isSteeper(slopes.heap) || grown.some(({ kept }) => kept === null)) process.exitCode = 1;
}

/** Right after a collection, mostly: what is kept, without what nobody has thrown away yet. */
function leastOfEachMinute(samples: readonly Sample[]): Sample[] {
  return [...Map.groupBy(samples, ({ ms }) => Math.floor(ms / MINUTE_MS)).values()].map(of => ({
    ms: Math.min(...of.map(({ ms }) => ms)),
    heap: Math.min(...of.map(({ heap }) => heap)),
    external: Math.min(...of.map(({ external }) => external)),
    resident: Math.min(...of.map(({ resident }) => resident)),
  }));
}

async function gaugesOf({ url }: ServerUnderTest): Promise<Readonly<Record<Gauge, number>>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN) / 1024 / 1024;
  return { heap: megabytes(GAUGES.heap), external: megabytes(GAUGES.external), resident: megabytes(GAUGES.resident) };
}

async function rowsOf(databaseUrl: string): Promise<ReadonlyMap<string, number>> {
  const { close, pool } = openDatabases({ connectionString: databaseUrl });
  try {
    const { rows: names } = await pool.query<{ name: string; as: string }>(
      `select relname as name, quote_ident(nspname) || '.' || quote_ident(relname) as "as"
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and nspname in ('public', 'jobs')`,
    );
    const counted = new Map<string, number>();
    for (const { as, name } of names) {
      const { rows } = await pool.query<{ count: number }>(`select count(*)::int4 as count from ${as}`);
      counted.set(name, rows[0]?.count ?? 0);
    }
    return counted;
  } finally {
    await close();
  }
}
