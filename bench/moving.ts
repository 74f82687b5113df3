/**
 * `npm run bench -- moving [vehicles] [seconds]`: an account moves to another server: its export with 30 days of positions
 * is written, checked and imported into an empty database, and exported there again, which has to give the same rows.
 * A parked vehicle reports every so many seconds, 600 if nothing is said. `PROFILE=folder` writes a profile of the
 * processor time of each step.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, createReadStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import pino from 'pino';
import { openDatabases } from '../apps/server/src/db/database.ts';
import { startEmbedded } from '../apps/server/src/db/embedded.ts';
import { migrate } from '../apps/server/src/db/migrate.ts';
import { createAccount } from '../apps/server/src/modules/accounts/accounts.ts';
import { exportLines } from '../apps/server/src/modules/data-transfer/export.ts';
import { checkImport, importAccount } from '../apps/server/src/modules/data-transfer/import.ts';
import { openKeptFiles } from '../apps/server/src/modules/data-transfer/kept-files.ts';
import { openFiles } from '../apps/server/src/modules/documents/files.ts';
import { testContext } from '../apps/server/testing/context.ts';
import { DAY_MS, DAYS, fillFleet } from './past/fleet.ts';
import { memoryOf, processorSecondsOf } from './processes.ts';
import { table } from './table.ts';

/** Of each vehicle and day. */
const ALERTS = 3;

interface Server {
  readonly db: ReturnType<typeof openDatabases>;
  readonly accountId: number;
  readonly dataDir: string;
  close(): Promise<void>;
}

async function startServer(): Promise<Server> {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, log: pino({ level: 'silent' }) });
  const db = openDatabases(database.connection);
  await migrate(db.pool);
  const accountId = await createAccount(db, { name: 'Bench' });
  const close = async (): Promise<void> => {
    await db.close();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { db, accountId, dataDir, close };
}

/** What an account has beside its positions and days. */
async function fillRest({ db: { pool }, accountId }: Server, todayMs: number): Promise<void> {
  await pool.query(
    `insert into driver (account_id, name) select $1, 'Driver ' || n from
      generate_series(1, (select count(*) from vehicle)) n`,
    [accountId],
  );
  await pool.query(
    `insert into alert (id, account_id, vehicle_id, kind, severity, event, opened_at, updated_at, closed_at, lat, lon)
      select gen_random_uuid(), $1, vehicle.id, 'harshDriving', 'warning', 'harshBraking', at, at, at, 41.8, -87.7
      from vehicle, generate_series(0, $2::int - 1) n,
        lateral (select to_timestamp($3::float8 / 1000) - n * interval '8 hours' as at) moment`,
    [accountId, DAYS * ALERTS, todayMs],
  );
}

export async function run([vehicles = '20', parked]: readonly string[]): Promise<void> {
  const lines: string[][] = [];
  const answers: object[] = [];
  const step = async <T>(name: string, { db }: Server, work: () => Promise<T>): Promise<T> => {
    const session = process.env.PROFILE ? new Session() : null;
    session?.connect();
    await session?.post('Profiler.enable');
    await session?.post('Profiler.start');
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    globalThis.gc?.();
    const before = memoryOf(process.pid).now;
    let more = 0;
    const watch = setInterval(() => {
      more = Math.max(more, memoryOf(process.pid).now - before);
    }, 50);
    const usedByDatabase = async (): Promise<number> => {
      const { rows } = await db.pool.query<{ pid: number }>('select pid from pg_stat_activity');
      return rows.reduce((sum, { pid }) => sum + processorSecondsOf(pid), 0);
    };
    const [began, used, spent] = [performance.now(), process.cpuUsage(), await usedByDatabase()];
    const result = await work();
    clearInterval(watch);
    delays.disable();
    const { user, system } = process.cpuUsage(used);
    const answer = {
      step: name,
      seconds: Math.round((performance.now() - began) / 100) / 10,
      serverS: Math.round((user + system) / 1e5) / 10,
      databaseS: Math.round(((await usedByDatabase()) - spent) * 10) / 10,
      moreMb: more,
      waits: `${Math.round(delays.percentile(99) / 1e6)}, ${Math.round(delays.max / 1e6)}`,
    };
    if (session) {
      const { profile } = (await session.post('Profiler.stop')) as { profile: object };
      writeFileSync(
        join(process.env.PROFILE ?? '', `${name.replaceAll(' ', '-')}.cpuprofile`),
        JSON.stringify(profile),
      );
      session.disconnect();
    }
    answers.push(answer);
    lines.push(Object.values(answer).map(String));
    return result;
  };
  const write = async (from: Server): Promise<{ path: string; end: End }> => {
    const files = openKeptFiles(join(from.dataDir, 'exports'));
    const id = randomUUID();
    const context = testContext(from.db, { dataDir: from.dataDir });
    const wanted = { accountId: from.accountId, positions: true };
    await files.write(id, exportLines(context, openFiles(from.dataDir), wanted), new AbortController().signal);
    return { path: files.pathOf(id), end: await endOf(files.pathOf(id)) };
  };

  const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const old = await startServer();
  const made = await startServer();
  try {
    const { accountId } = old;
    await fillFleet(old.db, accountId, Number(vehicles), { todayMs, parkedS: parked ? Number(parked) : undefined });
    await fillRest(old, todayMs);
    const first = await step('export', old, () => write(old));
    const grantor = { readOnly: false, role: 'owner', permissions: null, scope: null } as const;
    const context = testContext(made.db, { dataDir: made.dataDir });
    const author = { accountId: made.accountId, userId: null, userName: null, via: 'session', address: null } as const;
    const unfinished = { id: randomUUID(), userId: randomUUID(), work: null, about: {}, progress: async () => {} };
    const job = { ...unfinished, signal: new AbortController().signal, next: async () => {}, finish: async () => true };
    await step('check', made, () =>
      checkImport(context, { run: { ...job, accountId: made.accountId }, grantor, path: first.path }),
    );
    await step('import', made, () =>
      importAccount(context, openFiles(made.dataDir), {
        ...{ author, grantor, path: first.path },
        run: { ...job, accountId: made.accountId },
      }),
    );
    const second = await step('export again', made, () => write(made));
    for (const name of ['vehicle', 'driver', 'alert', 'position'] as const) {
      const [there, here] = [first.end.sha256.tables[name], second.end.sha256.tables[name]];
      if (there === undefined || there !== here) throw new Error(`The rows of ${name} differ after the move`);
    }
    const head = ['step', 's', 'server cpu s', 'database cpu s', 'memory more, MB', 'waits ms'];
    const [{ position: positions = 0, alert: alerts = 0 }, { size }] = [first.end.end, statSync(first.path)];
    process.stdout.write(
      `${positions} positions, ${alerts} alerts, ${Math.round(size / 1e6)} MB; the same afterwards\n`,
    );
    process.stdout.write(table(head, lines));
    process.stdout.write(
      `${JSON.stringify({ bench: 'moving', vehicles: Number(vehicles), positions, size, answers })}\n`,
    );
  } finally {
    await old.close();
    await made.close();
  }
}

interface End {
  readonly end: Readonly<Record<string, number>>;
  readonly sha256: { readonly tables: Readonly<Record<string, string>> };
}

async function endOf(path: string): Promise<End> {
  const { size } = statSync(path);
  let last = '';
  for await (const line of createInterface({ input: createReadStream(path, { start: Math.max(0, size - 65_536) }) })) {
    last = line;
  }
  return JSON.parse(last) as End;
}
