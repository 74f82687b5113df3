/**
 * `npm run bench -- changes`: the throughput of the change feed. Vehicles are changed at a steady rate, one per
 * transaction, and every browser of the account is notified; measures the time from the commit to each browser. By
 * default at 100 and 1,000 changes a second; otherwise at the rates given.
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
/** Browsers learn of a commit before a writer that waits its turn. */
const COMMIT_NOTICE_MS = 1000;

interface Figures {
  readonly rate: number;
  readonly written: number;
  /** From the commit of a change until a browser receives it. */
  readonly told: Latencies;
  /** Vehicles whose last change did not reach a browser. */
  readonly lost: number;
  /** How often a browser had to reload everything because the server could not keep up. */
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
  /** When each vehicle's last change was committed; null while the commit is pending. */
  const committed = new Map<string, number | null>();
  const latencies: number[] = [];
  let everything = 0;
  /** By browser: when it was last notified of each vehicle. */
  const told: Map<string, number>[] = [];
  const sockets: Socket[] = [];
  for (const { token } of server.browsers) {
    const notifiedHere = new Map<string, number>();
    told.push(notifiedHere);
    const hear = ({ changes }: Changes): void => {
      const now = performance.now();
      if (changes === 'everything') everything++;
      else {
        for (const { id } of changes) {
          const at = committed.get(id ?? '');
          // Announced before the writer's own commit returned: counts as zero.
          latencies.push(at == null ? 0 : now - at);
          notifiedHere.set(id ?? '', now);
        }
      }
    };
    sockets.push(await follow(server.url, token, hear));
  }
  const isNotified = (id: string, at: number | null, of: ReadonlyMap<string, number>): boolean =>
    at !== null && (of.get(id) ?? 0) >= at - COMMIT_NOTICE_MS;
  const unnotified = (): number =>
    told.reduce((sum, of) => sum + [...committed].filter(([id, at]) => !isNotified(id, at, of)).length, 0);
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
  // Waits for changes still on their way; those that do not arrive are lost.
  for (let n = 0; n < 50 && unnotified() > 0; n++) await sleep(100);
  const after = server.processorTime();
  for (const socket of sockets) socket.disconnect();
  await pool.end();
  const share = (of: 'server' | 'database') => `${Math.round(((after[of] - spent[of]) / seconds) * 100)} %`;
  return {
    rate: Math.round(written / seconds),
    written,
    told: latenciesOf(latencies),
    lost: unnotified(),
    everything,
    server: share('server'),
    database: share('database'),
  };
}

/** A browser with its own connection. */
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
