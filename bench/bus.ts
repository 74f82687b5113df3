/**
 * `npm run bench -- bus`: what could carry live messages between nodes. NATS and Redis as Debian packages them, and
 * PostgreSQL's NOTIFY on the embedded database. One node publishes, another listens: latency and processor time at
 * 1,000 and 10,000 messages a second, the most that gets through, and what happens when the program is killed and comes
 * back two seconds later. At last a cluster of three NATS servers, of which the one that both use is killed.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineName, monotonicMs } from './bus/client.ts';
import { type Engine, startEngine, startNatsCluster } from './bus/engines.ts';
import type { FromPeer, ToPeer } from './bus/peer.ts';
import { table } from './table.ts';

const RATES = [1000, 10_000] as const;
/** Four times the higher rate: what arrives of it says how much room there is. */
const FULL_SPEED = 40_000;
const WATCH_S = 8;
const AWAY_MS = 2000;

export async function run(names: readonly string[]): Promise<void> {
  const figures: Record<string, unknown> = {};
  for (const name of ['nats', 'redis', 'postgres'] as const satisfies readonly EngineName[]) {
    if (names.length > 0 && !names.includes(name)) continue;
    const engine = await startEngine(name);
    if (engine) figures[name] = await measure(engine);
    else process.stdout.write(`${name} is not installed here: left out\n`);
  }
  if (names.length === 0 || names.includes('cluster')) {
    const cluster = await startNatsCluster();
    if (cluster) figures.cluster = { death: await withPeers(cluster, (...peers) => dies(cluster, ...peers, false)) };
  }
  print(figures as Figures);
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

interface AtRate {
  readonly rate: number;
  readonly received: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time a message, in microseconds. */
  readonly engineUs: number;
  readonly publisherUs: number;
  readonly listenerUs: number;
}

interface Death {
  readonly sent: number;
  readonly received: number;
  /** From the moment the program listens again to both nodes being connected. */
  readonly reconnectMs: number;
  readonly longestGapMs: number;
  /** The longest call of `publish`: nothing may hold up a node. */
  readonly longestCallMs: number;
}

type Figures = Readonly<
  Record<string, { readonly rates?: readonly AtRate[]; readonly most?: number; readonly death: Death }>
>;

async function measure(engine: Engine) {
  return withPeers(engine, async (publisher, listener) => {
    const rates: AtRate[] = [];
    for (const rate of RATES) rates.push(await atRate(engine, publisher, listener, rate));
    const full = await atRate(engine, publisher, listener, FULL_SPEED);
    // What is still on its way belongs to the full speed.
    await sleep(3000);
    await Promise.all([count(publisher), count(listener)]);
    return { rates, most: full.received, death: await dies(engine, publisher, listener, true) };
  });
}

async function withPeers<T>(
  engine: Engine,
  use: (publisher: ChildProcess, listener: ChildProcess) => Promise<T>,
): Promise<T> {
  const [publisher, listener] = [start(), start()];
  try {
    const open = { type: 'open', engine: engine.name, urls: engine.urls } as const;
    await ask(listener, { ...open, listens: true });
    await ask(publisher, { ...open, listens: false });
    return await use(publisher, listener);
  } finally {
    publisher.disconnect();
    listener.disconnect();
    await engine.stop();
  }
}

async function atRate(engine: Engine, publisher: ChildProcess, listener: ChildProcess, rate: number): Promise<AtRate> {
  tell(publisher, { type: 'rate', rate });
  await sleep(2000);
  const before = [await count(publisher), await count(listener)] as const;
  const [engineBefore, begun] = [engine.processorSeconds(), monotonicMs()];
  await sleep(WATCH_S * 1000);
  const after = [await count(publisher), await count(listener)] as const;
  const engineSeconds = engine.processorSeconds() - engineBefore;
  const seconds = (monotonicMs() - begun) / 1000;
  tell(publisher, { type: 'rate', rate: 0 });
  await sleep(500);
  await Promise.all([count(publisher), count(listener)]);
  const [sent, received] = after;
  const sorted = received.latenciesMs.toSorted((a, b) => a - b);
  const perMessage = (used: number): number => round((used * 1e6) / Math.max(1, received.messages));
  return {
    rate: Math.round(sent.messages / seconds),
    received: Math.round(received.messages / seconds),
    p50Ms: round(sorted[Math.floor(sorted.length * 0.5)] ?? 0),
    p99Ms: round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
    engineUs: perMessage(engineSeconds),
    publisherUs: perMessage(sent.processorSeconds - before[0].processorSeconds),
    listenerUs: perMessage(received.processorSeconds - before[1].processorSeconds),
  };
}

/** Of a cluster, the killed program stays away. */
async function dies(engine: Engine, publisher: ChildProcess, listener: ChildProcess, returns: boolean): Promise<Death> {
  tell(publisher, { type: 'rate', rate: 1000 });
  await sleep(1000);
  await Promise.all([count(publisher), count(listener)]);
  engine.kill();
  let backAt = monotonicMs();
  if (returns) {
    await sleep(AWAY_MS);
    await engine.restart();
    backAt = monotonicMs();
  }
  await sleep(6000);
  tell(publisher, { type: 'rate', rate: 0 });
  await sleep(500);
  const [sent, received] = [await count(publisher), await count(listener)];
  const connectedAt = Math.max(sent.reconnected.at(-1) ?? 0, received.reconnected.at(-1) ?? 0);
  return {
    sent: sent.messages,
    received: received.messages,
    reconnectMs: Math.round(connectedAt - backAt),
    longestGapMs: Math.round(received.longestGapMs),
    longestCallMs: round(sent.longestCallMs),
  };
}

function print(figures: Figures): void {
  const rates = Object.entries(figures).flatMap(([name, { rates: all = [], most }]) => [
    ...all.map(at => [name, ...Object.values(at).map(String)]),
    ...(most === undefined ? [] : [[name, 'of 40,000', String(most)]]),
  ]);
  const head = ['bus', 'sent/s', 'received/s', 'p50 ms', 'p99 ms', 'bus µs', 'publisher µs', 'listener µs'];
  process.stdout.write(table(head, rates));
  const deaths = Object.entries(figures).map(([name, { death }]) => [name, ...Object.values(death).map(String)]);
  process.stdout.write(
    table(['killed', 'sent', 'received', 'reconnect ms', 'longest gap ms', 'longest call ms'], deaths),
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;
const start = (): ChildProcess => fork(join(import.meta.dirname, 'bus/peer.ts'), { serialization: 'advanced' });
const tell = (peer: ChildProcess, message: ToPeer): boolean => peer.send(message);
const count = (peer: ChildProcess): Promise<FromPeer> => ask(peer, { type: 'count' });

async function ask(peer: ChildProcess, message: ToPeer): Promise<FromPeer> {
  tell(peer, message);
  const done = new AbortController();
  const gone = once(peer, 'exit', done).then(() => {
    throw new Error('A process of the bench ended before its time');
  });
  gone.catch(() => {});
  const [said] = (await Promise.race([once(peer, 'message', done), gone])) as [FromPeer];
  done.abort();
  return said;
}
