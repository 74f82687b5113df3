/**
 * `npm run bench -- changes`: what the change feed carries. Vehicles are changed at a steady rate, one a transaction, and
 * every browser of the account is told; how long that takes from the commit to each browser. Without names, at 100 and
 * 1,000 changes a second; else at the rates that are named.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Changes, SOCKET_PATH } from '@milepost/contract';
import { Pool } from 'pg';
import { Manager, type Socket } from 'socket.io-client';
import { type Latencies, latenciesOf } from './ingest/latencies.ts';
import { type ServerUnderTest, startServer } from './ingest/server-under-test.ts';
import { table } from './table.ts';

const VEHICLES = 5000;
const BROWSERS = 200;
const WATCH_S = 20;
const TICK_MS = 10;
const WRITERS = 8;
/** A commit is told to browsers sooner than to a writer that waits its turn. */
const COMMIT_TOLD_MS = 1000;

interface Figures {
  readonly rate: number;
  readonly written: number;
  /** From the commit of a change to a browser that hears of it. */
  readonly told: Latencies;
  /** Vehicles whose last change a browser was not told of. */
  readonly lost: number;
  /** How often a browser was told to read everything: the server could not keep up. */
  readonly everything: number;
  readonly server: string;
  readonly database: string;
}

export async function run(names: readonly string[]): Promise<void> {
  const rates = names.length > 0 ? names.map(Number) : [100, 1000];
  const server = await startServer({ vehicles: VEHICLES, browsers: BROWSERS });
  const figures: Figures[] = [];
  try {
    for (const rate of rates) figures.push(await measure(server, rate));
  } finally {
    await server.stop();
  }
  process.stdout.write(
    table(
      ['changes a second', 'p50 ms', 'p99 ms', 'longest ms', 'lost', 'everything', 'server', 'database'],
      figures.map(({ rate, told, lost, everything, ...cost }) => [
        ...[rate, told.p50, told.p99, told.max, lost, everything].map(String),
        ...[cost.server, cost.database],
      ]),
    ),
  );
  process.stdout.write(`${JSON.stringify({ bench: 'changes', browsers: BROWSERS, figures })}\n`);
}

async function measure(server: ServerUnderTest, rate: number): Promise<Figures> {
  const pool = new Pool({ connectionString: server.databaseUrl, max: WRITERS });
  const { rows } = await pool.query<{ id: number }>('select id from vehicle order by id');
  const ids = rows.map(({ id }) => String(id));
  /** When each vehicle's last change was committed; null while it is on its way there. */
  const committed = new Map<string, number | null>();
  const latencies: number[] = [];
  let everything = 0;
  /** By browser: when it was last told of each vehicle. */
  const told: Map<string, number>[] = [];
  const sockets: Socket[] = [];
  for (const { token } of server.browsers) {
    const toldHere = new Map<string, number>();
    told.push(toldHere);
    const hear = ({ changes }: Changes): void => {
      const now = performance.now();
      if (changes === 'everything') everything++;
      else {
        for (const { id } of changes) {
          const at = committed.get(id ?? '');
          // Told before the writer has heard of its own commit: no time at all.
          latencies.push(at == null ? 0 : now - at);
          toldHere.set(id ?? '', now);
        }
      }
    };
    sockets.push(await follow(server.url, token, hear));
  }
  const isTold = (id: string, at: number | null, of: ReadonlyMap<string, number>): boolean =>
    at !== null && (of.get(id) ?? 0) >= at - COMMIT_TOLD_MS;
  const untold = (): number =>
    told.reduce((sum, of) => sum + [...committed].filter(([id, at]) => !isTold(id, at, of)).length, 0);
  const spent = server.processorTime();
  const began = performance.now();
  let sent = 0;
  let written = 0;
  const write = async (id: string, n: number): Promise<void> => {
    committed.set(id, null);
    await pool.query('update vehicle set notes = $2 where id = $1', [id, `change ${n}`]);
    committed.set(id, performance.now());
    written++;
  };
  const writes: Promise<void>[] = [];
  while (performance.now() - began < WATCH_S * 1000) {
    for (const due = ((performance.now() - began) / 1000) * rate; sent < due; sent++) {
      writes.push(write(ids[sent % ids.length] ?? '', sent));
    }
    await sleep(TICK_MS);
  }
  await Promise.all(writes);
  const seconds = (performance.now() - began) / 1000;
  // What is on its way arrives, or it is lost.
  for (let n = 0; n < 50 && untold() > 0; n++) await sleep(100);
  const after = server.processorTime();
  for (const socket of sockets) socket.disconnect();
  await pool.end();
  const share = (of: 'server' | 'database') => `${Math.round(((after[of] - spent[of]) / seconds) * 100)} %`;
  return {
    rate: Math.round(written / seconds),
    written,
    told: latenciesOf(latencies),
    lost: untold(),
    everything,
    server: share('server'),
    database: share('database'),
  };
}

/** A browser of its own, on a connection of its own. */
async function follow(url: string, token: string, told: (changes: Changes) => void): Promise<Socket> {
  const socket = new Manager(url, { path: SOCKET_PATH, transports: ['websocket'] }).socket('/eld', { auth: { token } });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  socket.on('changes', told);
  await socket.emitWithAck('follow_changes', { since: null });
  return socket;
}
