/**
 * `npm run bench -- ingest`: how many positions per second the server stores durably, compared with a bare COPY of the
 * same rows into the same table layout in the same database, measured in the same run. Load and subscribers run in
 * separate processes; live state, metrics and fan-out to 20 subscribers are always on.
 */
import { latenciesOf, medianOf } from './ingest/latencies.ts';
import type { LoadPlan, LoadResult } from './ingest/load-plan.ts';
import { readyLoad, type Subscribers, subscribers } from './ingest/processes.ts';
import { measureRawCopy, type RawCopy } from './ingest/raw-copy.ts';
import { DEVICE_KEY, type ServerUnderTest, startServer } from './ingest/server-under-test.ts';
import { table } from './table.ts';
import { geofencesOf, rulesOf } from './watched.ts';

const VEHICLES = 1000;
const SUBSCRIBERS = 20;
const HOUR_MS = 3_600_000;
const WATCHED = { geofences: 10_000, rules: 50 };
const WATCHED_TURNS = 5;
const WATCHED_MESSAGES = 600;
/** The first look at new vehicles is over. */
const BEGUN_MS = 6000;

type Shape = Pick<LoadPlan, 'transport' | 'perMessage' | 'messagesPerTracker'> & { readonly trackers: number };

const BATCHED: Shape = { transport: 'teltonika', trackers: 50, perMessage: 20, messagesPerTracker: 300 };
const SINGLE_TCP: Shape = { transport: 'teltonika', trackers: 1000, perMessage: 1, messagesPerTracker: 100 };
const SINGLE_MQTT: Shape = { transport: 'mqtt', trackers: 1000, perMessage: 1, messagesPerTracker: 60 };

const PARTS = {
  tcpBatched: (server: ServerUnderTest) => throughput(server, BATCHED),
  tcpSingle: (server: ServerUnderTest) => throughput(server, SINGLE_TCP),
  mqttSingle: (server: ServerUnderTest) => throughput(server, SINGLE_MQTT),
  watched: watchedThroughput,
  live: (server: ServerUnderTest) => liveLatency(server),
  liveWatched: (server: ServerUnderTest) => liveLatency(server, WATCHED.geofences, WATCHED.rules),
  memory: memoryOf500,
} as const;
type Part = keyof typeof PARTS;
type Figures = { readonly [P in Part]?: Awaited<ReturnType<(typeof PARTS)[P]>> };

/** All parts, or those given. */
export async function run(names: readonly string[]): Promise<void> {
  const server = await startServer({ vehicles: VEHICLES, browsers: SUBSCRIBERS });
  const figures: Record<string, unknown> = {};
  try {
    for (const [name, measure] of Object.entries(PARTS)) {
      if (names.length === 0 || names.includes(name)) figures[name] = await measure(server);
    }
  } finally {
    await server.stop();
  }
  print(figures);
}

interface Throughput {
  readonly positionsPerSecond: number;
  readonly rawCopy: RawCopy;
  /** Relative to COPY in text format, which is COPY's default. */
  readonly ofRawCopy: number;
  readonly liveMessagesPerSecond: number;
  /** Processor time per position. */
  readonly processorMicroseconds: { readonly server: number; readonly database: number };
  /** The server's peak memory, in megabytes. */
  readonly memoryPeak: number;
  readonly atHalfLoad: { readonly p50: number; readonly p99: number; readonly positionsPerSecond: number };
}

async function throughput(server: ServerUnderTest, shape: Shape): Promise<Throughput> {
  await server.restart();
  const browsers = await subscribe(server, Date.now());
  const before = server.processorTime();
  const full = await load(server, shape, null, 2 * HOUR_MS * 12);
  const after = server.processorTime();
  const memoryPeak = server.memory().peak;
  const { messages } = await browsers.count();
  const rawCopy = await measureRawCopy(server.databaseUrl);
  const positionsPerSecond = Math.round(full.positions / full.seconds);

  const halfRate = positionsPerSecond / 2 / shape.perMessage;
  const half = await load(
    server,
    { ...shape, messagesPerTracker: messagesFor(shape, halfRate, 10) },
    halfRate,
    HOUR_MS * 12,
  );
  browsers.end();
  const { p50, p99 } = latenciesOf(half.latencies);
  return {
    positionsPerSecond,
    rawCopy,
    ofRawCopy: Math.round((positionsPerSecond / rawCopy.text) * 100) / 100,
    liveMessagesPerSecond: Math.round(messages / full.seconds),
    processorMicroseconds: {
      server: Math.round(((after.server - before.server) * 1e6) / full.positions),
      database: Math.round(((after.database - before.database) * 1e6) / full.positions),
    },
    memoryPeak,
    atHalfLoad: { p50, p99, positionsPerSecond: Math.round(half.positions / half.seconds) },
  };
}

/** The same load in turn without geofences and rules and with many of them, all around the road. */
async function watchedThroughput(server: ServerUnderTest) {
  const turns: { readonly none: Cost; readonly watched: Cost }[] = [];
  for (let turn = 0; turn < WATCHED_TURNS; turn++) {
    // Each goes first in every other turn.
    if (turn % 2 === 0) turns.push({ none: await costWith(server, 0, 0), watched: await costWatched(server) });
    else turns.push({ watched: await costWatched(server), none: await costWith(server, 0, 0) });
  }
  const rate = (of: 'none' | 'watched'): number => Math.round(1 / medianOf(turns.map(turn => turn[of].seconds)));
  const share = (what: keyof Cost): number =>
    Math.round(medianOf(turns.map(({ none, watched }) => none[what] / watched[what])) * 100) / 100;
  return {
    ...WATCHED,
    none: rate('none'),
    watched: rate('watched'),
    share: share('seconds'),
    byProcessor: share('processor'),
    byThread: share('server'),
    shares: turns.map(({ none, watched }) => Math.round((none.seconds / watched.seconds) * 100) / 100),
  };
}

/** Of one position: seconds until it is acknowledged, and of the server's and the database's processor time. */
interface Cost {
  readonly seconds: number;
  readonly processor: number;
  /** Of the server's alone: one thread is what limits the rate. */
  readonly server: number;
}

const costWatched = (server: ServerUnderTest): Promise<Cost> => costWith(server, WATCHED.geofences, WATCHED.rules);

async function costWith(server: ServerUnderTest, geofences: number, rules: number): Promise<Cost> {
  const { accountId } = server;
  await server.watch(geofencesOf(accountId, geofences), rulesOf(accountId, rules));
  await server.restart();
  const agoMs = 2 * HOUR_MS * 12;
  // What is new to the server is looked at first.
  await load(server, { ...BATCHED, messagesPerTracker: 1 }, null, agoMs + HOUR_MS);
  await new Promise(resolve => setTimeout(resolve, BEGUN_MS));
  const before = server.processorTime();
  const { positions, seconds } = await load(server, { ...BATCHED, messagesPerTracker: WATCHED_MESSAGES }, null, agoMs);
  const after = server.processorTime();
  const inServer = (after.server - before.server) / positions;
  const processor = inServer + (after.database - before.database) / positions;
  return { seconds: seconds / positions, processor, server: inServer };
}

const messagesFor = ({ trackers }: Shape, rate: number, seconds: number): number =>
  Math.ceil((rate * seconds) / trackers);

/** From a tracker's socket to a subscriber's, at 1,000 messages a second. */
async function liveLatency(server: ServerUnderTest, geofences = 0, rules = 0) {
  await server.watch(geofencesOf(server.accountId, geofences), rulesOf(server.accountId, rules));
  await server.restart();
  const epoch = Date.now();
  const browsers = await subscribe(server, epoch);
  const { trackers } = SINGLE_TCP;
  await load(server, { ...SINGLE_TCP, messagesPerTracker: 11 }, 1000, HOUR_MS, epoch);
  await new Promise(resolve => setTimeout(resolve, 500));
  const { latencies, messages } = await browsers.count();
  browsers.end();
  return {
    ...latenciesOf(latencies),
    // All trackers connect at once, and each sends its first report.
    firstSecond: latenciesOf(latencies.slice(0, trackers)),
    after: latenciesOf(latencies.slice(trackers)),
    messages,
  };
}

/** 500 vehicles that report every ten seconds, with subscribers. */
async function memoryOf500(server: ServerUnderTest) {
  await server.watch([], []);
  await server.restart();
  const browsers = await subscribe(server, Date.now());
  await load(server, { ...SINGLE_TCP, trackers: 500, messagesPerTracker: 2 }, 50, HOUR_MS);
  browsers.end();
  return server.memory();
}

async function load(
  server: ServerUnderTest,
  { trackers, ...shape }: Shape,
  rate: number | null,
  agoMs: number,
  epochMs: number | null = null,
): Promise<LoadResult> {
  const ready = await readyLoad({
    ...shape,
    port: server.ports[shape.transport] ?? 0,
    imeis: server.imeis.slice(0, trackers),
    deviceKey: DEVICE_KEY,
    rate,
    firstFixMs: Math.floor((Date.now() - agoMs) / 1000) * 1000,
    epochMs,
  });
  return ready.go();
}

const subscribe = ({ browsers, imeis, url }: ServerUnderTest, epochMs: number): Promise<Subscribers> =>
  subscribers({ url, browsers, imeis, epochMs });

function print(figures: Figures): void {
  const { tcpBatched, tcpSingle, mqttSingle, watched, live, liveWatched, memory } = figures;
  const rows = [
    ['Teltonika TCP, 50 trackers, 20 a packet', '≥ 0.30', tcpBatched],
    ['Teltonika TCP, 1,000 trackers, one a packet', '≥ 0.15', tcpSingle],
    ['MQTT QoS 1, 1,000 trackers, one a publish', '≥ 0.15', mqttSingle],
  ] as const;
  const head = ['Durable ingest', 'positions/s', 'COPY text (binary)', 'of COPY', 'ack p50/p99 at half load'];
  const measured = rows.flatMap(([name, aim, figure]) => (figure ? [rowOf(name, aim, figure)] : []));
  if (measured.length > 0) {
    process.stdout.write(
      table([...head, 'live messages/s', 'server + database µs a position', 'memory at most'], measured),
    );
  }
  const others = [
    watched && [
      `With ${watched.geofences.toLocaleString('en-US')} geofences and ${watched.rules} rules, in turn with none`,
      `${watched.watched} of ${watched.none} positions/s: ${watched.share}; by processor time ${watched.byProcessor}, the server’s ${watched.byThread}`,
      '≥ 0.95',
    ],
    live && latencyRow('Tracker → subscriber at 1,000 messages/s', live),
    liveWatched && latencyRow('The same, watched by geofences and rules', liveWatched),
    memory && ['Server memory with 500 vehicles', `${memory.now} MB, at most ${memory.peak} MB`, '< 512 MB'],
  ].filter(row => row !== undefined);
  if (others.length > 0) process.stdout.write(table(['Besides', 'measured', 'aim'], others));
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

const latencyRow = (name: string, { after, firstSecond }: Awaited<ReturnType<typeof liveLatency>>): string[] => [
  name,
  `p50 ${after.p50} ms, p99 ${after.p99} ms; while all connect, p99 ${firstSecond.p99} ms`,
  'p99 ≤ 150 ms',
];

function rowOf(name: string, aim: string, figure: Throughput): string[] {
  const { positionsPerSecond, rawCopy, ofRawCopy, atHalfLoad, liveMessagesPerSecond, processorMicroseconds } = figure;
  return [
    name,
    String(positionsPerSecond),
    `${rawCopy.text} (${rawCopy.binary})`,
    `${ofRawCopy} (aim ${aim})`,
    `${atHalfLoad.p50} / ${atHalfLoad.p99} ms`,
    String(liveMessagesPerSecond),
    `${processorMicroseconds.server} + ${processorMicroseconds.database}`,
    `${figure.memoryPeak} MB`,
  ];
}
