/**
 * `npm run bench -- nodes [TURNS]`: what several servers cost. The same trackers at the same rate, and the same
 * browsers, on one server, and spread over one with a bus, two and three, in turn: processor time of a position, and
 * the time from a tracker's bytes to a browser at the same server and at another one; the same with a bus that was
 * killed; then as fast as positions are acknowledged. At the end of each, every acknowledged position is counted.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { findNats, WHY_NO_NATS } from '../apps/server/testing/nats.ts';
import { type Latencies, latenciesOf, medianOf } from './ingest/latencies.ts';
import type { LoadPlan } from './ingest/load-plan.ts';
import { readyLoad, type Subscribers, subscribers } from './ingest/processes.ts';
import { DEVICE_KEY } from './ingest/server-under-test.ts';
import { type BusLosses, Cluster, type ClusterTime } from './nodes/cluster.ts';
import { table } from './table.ts';

const TURNS = 3;
const VEHICLES = 600;
/** Both can be divided by one, two and three. */
const RACING = 60;
const RACING_MESSAGES = 100;
const WARMING_MESSAGES = 60;
const WATCHING = 18;
const RATE = Number(process.env.RATE ?? 500);
const SECONDS = Number(process.env.SECONDS ?? 20);
const HOUR_MS = 3_600_000;
/** The first look at new vehicles is over. */
const BEGUN_MS = 6000;
const IDLE_MS = 5000;
/** While the bus is away, the database is asked every 10 s. */
const HEARD_WITHIN_MS = { dead: 25_000, alive: 1000 };

const WAYS = {
  one: { nodes: 1, bus: 'none', name: '1 server' },
  oneWithBus: { nodes: 1, bus: 'alive', name: '1 with a bus' },
  two: { nodes: 2, bus: 'alive', name: '2 servers' },
  three: { nodes: 3, bus: 'alive', name: '3 servers' },
  twoDead: { nodes: 2, bus: 'dead', name: '2, bus killed' },
  threeDead: { nodes: 3, bus: 'dead', name: '3, bus killed' },
} as const;
type Way = keyof typeof WAYS;

interface Measured {
  /** Of a position, in microseconds; what servers do without any is taken off in `net`. */
  readonly us: ClusterTime;
  readonly net: ClusterTime;
  readonly sameNode: Latencies;
  readonly otherNode: Latencies;
  /** As fast as they are acknowledged, 20 a packet; without what servers do without any. */
  readonly positionsPerSecond: number;
  readonly fastUs: ClusterTime;
  /** One position a packet again, of trackers that connect right after that. */
  readonly rightAfter: Readonly<Record<'otherNode' | 'sameNode', Latencies>>;
  /** How often a server lost the bus, and messages that it dropped. */
  readonly lost: BusLosses;
  readonly acknowledged: number;
  readonly stored: { readonly rows: number; readonly different: number };
}

export async function run([turns = String(TURNS), ...names]: readonly string[]): Promise<void> {
  if (!findNats()) throw new Error(WHY_NO_NATS);
  const ways = (Object.keys(WAYS) as Way[]).filter(way => names.length === 0 || names.includes(way));
  const cluster = await Cluster.start(VEHICLES, WATCHING + 2);
  const measured: Partial<Record<Way, Measured>>[] = [];
  try {
    for (let turn = 0; turn < Number(turns); turn++) {
      const of: Partial<Record<Way, Measured>> = {};
      // Each is first, and last, in some turn.
      for (const way of turn % 2 === 0 ? ways : ways.toReversed()) {
        of[way] = await measure(cluster, way);
        process.stdout.write(`${WAYS[way].name}: ${JSON.stringify(of[way])}\n`);
      }
      measured.push(of);
    }
  } finally {
    await cluster.stop();
  }
  print(ways, measured);
  const isWrong = measured.some(of => Object.values(of).some(one => !isComplete(one)));
  if (isWrong) process.exitCode = 1;
}

const isComplete = ({ acknowledged, stored: { different, rows } }: Measured): boolean =>
  rows === acknowledged && different === acknowledged;

async function measure(cluster: Cluster, way: Way): Promise<Measured> {
  const { bus, nodes } = WAYS[way];
  await cluster.run(nodes, bus !== 'none');
  const first = await paced(cluster, 1, 24 * HOUR_MS);
  await sleep(BEGUN_MS);
  if (bus === 'dead') cluster.killBus();
  const watched = await watch(cluster);
  const beforeIdle = cluster.time();
  await sleep(IDLE_MS);
  const before = cluster.time();
  const began = performance.now();
  const { positions } = await paced(cluster, Math.ceil((RATE * SECONDS) / VEHICLES), 12 * HOUR_MS, watched.epochMs);
  const tookMs = performance.now() - began;
  const after = cluster.time();
  await sleep(HEARD_WITHIN_MS[bus === 'dead' ? 'dead' : 'alive']);
  const [sameNode, otherNode] = await watched.end();
  // Each server compiles its code first, three of them thrice.
  const warming = await raced(cluster, WARMING_MESSAGES, 9 * HOUR_MS);
  await sleep(BEGUN_MS);
  const beforeRace = cluster.time();
  const race = await raced(cluster, RACING_MESSAGES, 6 * HOUR_MS);
  const afterRace = cluster.time();
  const late = await watch(cluster);
  const again = await paced(cluster, Math.ceil((RATE * SECONDS) / VEHICLES), 3 * HOUR_MS, late.epochMs);
  await sleep(HEARD_WITHIN_MS[bus === 'dead' ? 'dead' : 'alive']);
  const [sameLate, otherLate] = await late.end();
  const idle = timesOf(what => ((before[what] - beforeIdle[what]) * 1000) / IDLE_MS);
  return {
    us: timesOf(what => ((after[what] - before[what]) * 1e6) / positions),
    net: timesOf(what => ((after[what] - before[what] - (idle[what] * tookMs) / 1000) * 1e6) / positions),
    sameNode: latenciesOf(sameNode ?? []),
    otherNode: latenciesOf(otherNode ?? []),
    positionsPerSecond: Math.round(race.positions / race.seconds),
    fastUs: timesOf(what => ((afterRace[what] - beforeRace[what] - idle[what] * race.seconds) * 1e6) / race.positions),
    rightAfter: { sameNode: latenciesOf(sameLate ?? []), otherNode: latenciesOf(otherLate ?? []) },
    lost: await cluster.busLosses(),
    acknowledged: first.positions + warming.positions + positions + race.positions + again.positions,
    stored: await cluster.stored(),
  };
}

/** Two browsers look at trackers of the first server, one there and one at the last server, the others at all of them. */
async function watch(cluster: Cluster) {
  const { browsers, nodes } = cluster;
  const epochMs = Date.now();
  const [there, far, ...many] = browsers;
  if (!there || !far) throw new Error('There are no browsers');
  const at = (node: number) => nodes[node]?.ready.url ?? '';
  const ofFirst = trackersOf(cluster, VEHICLES)[0] ?? [];
  const measuring = await Promise.all([
    subscribers({ url: at(0), browsers: [there], imeis: ofFirst, epochMs }),
    subscribers({ url: at(nodes.length - 1), browsers: [far], imeis: ofFirst, epochMs }),
  ]);
  const others: Subscribers[] = await Promise.all(
    nodes.map((_, n) => {
      const own = many.filter((_, index) => index % nodes.length === n);
      return subscribers({ url: at(n), browsers: own, imeis: cluster.imeis, epochMs });
    }),
  );
  return {
    epochMs,
    end: async (): Promise<(readonly number[])[]> => {
      const counted = await Promise.all(measuring.map(each => each.count()));
      for (const each of [...measuring, ...others]) each.end();
      return counted.map(({ latencies }) => latencies);
    },
  };
}

/** Each server has as many of them, of those that begin. */
const trackersOf = ({ imeis, nodes }: Cluster, trackers: number): string[][] =>
  nodes.map((_, n) => imeis.slice((n * trackers) / nodes.length, ((n + 1) * trackers) / nodes.length));

type Shape = Pick<LoadPlan, 'epochMs' | 'messagesPerTracker' | 'perMessage'> & {
  readonly trackers: number;
  readonly rate: number | null;
};

/** One position a packet. */
const paced = (cluster: Cluster, messagesPerTracker: number, agoMs: number, epochMs: number | null = null) =>
  load(cluster, { trackers: VEHICLES, rate: RATE, perMessage: 1, messagesPerTracker, epochMs }, agoMs);

const raced = (cluster: Cluster, messagesPerTracker: number, agoMs: number) =>
  load(cluster, { trackers: RACING, rate: null, perMessage: 20, messagesPerTracker, epochMs: null }, agoMs);

async function load(cluster: Cluster, { rate, trackers, ...shape }: Shape, agoMs: number) {
  const { nodes } = cluster;
  const loads = await Promise.all(
    trackersOf(cluster, trackers).map((imeis, n) =>
      readyLoad({
        ...shape,
        transport: 'teltonika',
        port: nodes[n]?.ready.trackerPorts.teltonika ?? 0,
        imeis,
        deviceKey: DEVICE_KEY,
        rate: rate === null ? null : rate / nodes.length,
        firstFixMs: Math.floor((Date.now() - agoMs) / 1000) * 1000,
      }),
    ),
  );
  const done = await Promise.all(loads.map(each => each.go()));
  return {
    positions: done.reduce((sum, { positions }) => sum + positions, 0),
    seconds: Math.max(...done.map(({ seconds }) => seconds)),
  };
}

const timesOf = (of: (what: keyof ClusterTime) => number): ClusterTime => ({
  servers: thousandths(of('servers')),
  database: thousandths(of('database')),
  bus: thousandths(of('bus')),
});
const thousandths = (value: number): number => Math.round(value * 1000) / 1000;

function print(ways: readonly Way[], turns: readonly Partial<Record<Way, Measured>>[]): void {
  const medians = (way: Way, of: (one: Measured) => number): number =>
    Math.round(medianOf(turns.flatMap(turn => (turn[way] ? [of(turn[way])] : []))) * 10) / 10;
  /** Each turn is compared with itself: the machine may be busier in the next one. */
  const ratio = (way: Way, of: (one: Measured) => number): string =>
    medianOf(turns.flatMap(({ one, [way]: other }) => (one && other ? [of(other) / of(one)] : []))).toFixed(2);
  const ms = (way: Way, where: 'otherNode' | 'sameNode'): string =>
    `${medians(way, one => one[where].p50)} / ${medians(way, one => one[where].p99)} ms`;
  const rows = ways.map(way => [
    WAYS[way].name,
    `${medians(way, ({ us }) => us.servers)} (${ratio(way, ({ us }) => us.servers)})`,
    `${medians(way, ({ net }) => net.servers)} (${ratio(way, ({ net }) => net.servers)})`,
    `${medians(way, ({ us }) => us.database)} + ${medians(way, ({ us }) => us.bus)}`,
    `${medians(way, ({ fastUs }) => fastUs.servers)} (${ratio(way, ({ fastUs }) => fastUs.servers)})`,
    `${medians(way, ({ fastUs }) => fastUs.database)} + ${medians(way, ({ fastUs }) => fastUs.bus)}`,
    ms(way, 'sameNode'),
    ms(way, 'otherNode'),
    `${medians(way, one => one.positionsPerSecond)} (${ratio(way, one => one.positionsPerSecond)})`,
    `${medians(way, one => one.rightAfter.sameNode.p99)} / ${medians(way, one => one.rightAfter.otherNode.p99)} ms`,
    turns.every(turn => !turn[way] || isComplete(turn[way])) ? 'all, once' : 'NOT ALL, ONCE',
  ]);
  const atRate = [`${RATE} positions/s`, 'servers µs a position', 'without what idles', 'database + bus µs'];
  const atFullSpeed = ['20 a packet: servers µs', 'database + bus µs'];
  const live = ['same server p50 / p99', 'other server p50 / p99'];
  const head = [
    ...atRate,
    ...atFullSpeed,
    ...live,
    'positions/s, 20 a packet',
    'right after: p99 same / other',
    'stored',
  ];
  process.stdout.write(table(head, rows));
  process.stdout.write(`${JSON.stringify({ turns })}\n`);
}
