import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { openDatabases } from '../../apps/server/src/db/database.ts';
import { SERVER_ROLE } from '../../apps/server/src/db/embedded/server-role.ts';
import { administratorOfRunning, startEmbedded } from '../../apps/server/src/db/embedded.ts';
import { migrate } from '../../apps/server/src/db/migrate.ts';
import { createChangeFeed } from '../../apps/server/src/feed/change-feed.ts';
import { hashDeviceKey } from '../../apps/server/src/fleet/device-key.ts';
import { isReadyMessage, type ReadyMessage } from '../../apps/server/src/lifecycle/launcher.ts';
import { createSignals } from '../../apps/server/src/lifecycle/signals.ts';
import { createAccount, createUser } from '../../apps/server/src/modules/accounts/accounts.ts';
import { createSessions, messagingCredential } from '../../apps/server/src/modules/accounts/sessions.ts';
import { testImei } from '../../apps/server/testing/imei.ts';
import { SERVER_FLAGS } from '../../tools/launch/server-flags.ts';
import { memoryOf, processorSecondsOf, processorSecondsOfTree } from '../processes.ts';

export const DEVICE_KEY = 'a key for measuring';
/** A folder: each server writes there, when it ends, where its processor time went. */
const PROFILES = process.env.CPU_PROFILES;
const MAIN = join(import.meta.dirname, '../../apps/server/src/main.ts');

export interface Browser {
  /** The session's token, for the HTTP API. */
  readonly token: string;
  readonly clientId: string;
  readonly userName: string;
  readonly password: string;
}

export interface ServerUnderTest {
  readonly databaseUrl: string;
  readonly url: string;
  readonly ports: ReadyMessage['trackerPorts'];
  readonly imeis: readonly string[];
  readonly browsers: readonly Browser[];
  /** Memory of the server's process, current and peak, in megabytes. */
  memory(): { readonly now: number; readonly peak: number };
  /** Processor time used so far, in seconds. */
  processorTime(): ProcessorTime;
  /** Stops the server, empties its tables of positions and what followed from them, clears its trackers' protocols, and starts it again. */
  restart(): Promise<void>;
  /** Gives the account geofences and rules instead of those it has; as of the next restart. */
  watch(geofences: readonly object[], rules: readonly object[]): Promise<void>;
  readonly accountId: number;
  stop(): Promise<void>;
}

export interface ProcessorTime {
  readonly server: number;
  readonly database: number;
}

export interface ServerOptions {
  readonly vehicles: number;
  readonly browsers: number;
}

/** The real server in a separate process, on an embedded database with the settings of `npm start`. */
export async function startServer({ vehicles, browsers }: ServerOptions): Promise<ServerUnderTest> {
  const { database, dataDir } = await startDatabase();
  const imeis = Array.from({ length: vehicles }, (_, n) => testImei(n));
  const { accountId, signedIn } = await prepare(database.url, imeis, browsers);
  let server = await launch(database.url);

  return {
    databaseUrl: database.url,
    accountId,
    imeis,
    browsers: signedIn,
    get url() {
      return server.ready.url;
    },
    get ports() {
      return server.ready.trackerPorts;
    },
    memory: () => memoryOf(server.child.pid ?? 0),
    processorTime: () => ({
      server: processorSecondsOf(server.child.pid ?? 0),
      database: processorSecondsOfTree(postmasterOf(database.url)),
    }),
    restart: async () => {
      await end(server.child);
      await forgetPositions(database.url);
      server = await launch(database.url);
    },
    watch: async (geofences, rules) => {
      const db = openDatabases({ connectionString: database.url });
      await db.system.deleteFrom('rule').execute();
      await db.system.deleteFrom('geofence').execute();
      for (let at = 0; at < geofences.length; at += 1000) {
        const some = geofences.slice(at, at + 1000) as never;
        await db.system.insertInto('geofence').values(some).execute();
      }
      if (rules.length > 0) {
        await db.system
          .insertInto('rule')
          .values(rules as never)
          .execute();
      }
      await db.close();
    },
    stop: async () => {
      await end(server.child);
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** An embedded database with the settings of `npm start`, in a folder of its own. */
export async function startDatabase() {
  const dataDir = mkdtempSync(join(tmpdir(), 'milepost-bench-'));
  // The database's user must have access, not only root.
  chmodSync(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, log: pino({ level: 'warn' }) });
  const administrator = openDatabases((await administratorOfRunning(dataDir)) ?? database.connection);
  await administrator.pool.query(`grant pg_checkpoint to ${SERVER_ROLE}`);
  await administrator.close();
  return { database, dataDir };
}

/** Empties the tables of positions and of what followed from them. */
export async function forgetPositions(databaseUrl: string): Promise<void> {
  const db = openDatabases({ connectionString: databaseUrl });
  await db.pool.query('truncate position, vehicle_state');
  // And all that followed from them.
  await db.pool.query(
    `truncate alert, projection_claim, projection_runner, rule_fold, trip_day, trip_part, vehicle_day,
      vehicle_day_stale, visit, visit_day, visit_fold cascade`,
  );
  // The next load may use another protocol.
  await db.pool.query('update vehicle set protocol = null where protocol is not null');
  await db.pool.query('vacuum analyze vehicle_state');
  await db.pool.query('checkpoint');
  await db.close();
}

/** An account with these vehicles, and browsers of its owner. */
export async function prepare(databaseUrl: string, imeis: readonly string[], browsers: number) {
  const db = openDatabases({ connectionString: databaseUrl });
  await migrate(db.pool);
  const accountId = await createAccount(db, { name: 'Bench', operator: true });
  const userId = await createUser(db, { accountId, userName: 'bench', role: 'owner', password: null });
  const key = hashDeviceKey(DEVICE_KEY);
  const rows = imeis.map((imei, n) => ({ account_id: accountId, imei, name: `Unit ${n}`, device_key_hash: key }));
  for (let at = 0; at < rows.length; at += 1000) {
    await db.system
      .insertInto('vehicle')
      .values(rows.slice(at, at + 1000))
      .execute();
  }
  const log = pino({ level: 'silent' });
  const sessions = createSessions({ db, feed: createChangeFeed(db, log), signals: createSignals(log) });
  const signedIn: Browser[] = [];
  for (let n = 0; n < browsers; n++) {
    const { token } = await sessions.open({ accountId, userId, keepSignedIn: true });
    signedIn.push({ token, clientId: `${userId}.${n}`, userName: 'bench', password: messagingCredential(token) });
  }
  await db.close();
  return { accountId, signedIn };
}

export interface Launched {
  readonly child: ChildProcess;
  readonly ready: ReadyMessage;
}

export async function launch(databaseUrl: string, more: Readonly<Record<string, string>> = {}): Promise<Launched> {
  const child = fork(MAIN, [], {
    execArgv: [...SERVER_FLAGS],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: databaseUrl,
      PORT: '0',
      MQTT_PORT: '0',
      GATEWAYS: 'teltonika:0,gt06:0,osmand:0',
      DEMO: 'off',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
      ...(PROFILES !== undefined && { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${PROFILES}` }),
      ...more,
    },
  });
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error('The server did not start');
    }),
  ]);
  if (!isReadyMessage(message)) throw new Error('The server said something unexpected');
  return { child, ready: message };
}

export async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Finds the postmaster by its port; 0 if there is none. */
export function postmasterOf(databaseUrl: string): number {
  const port = `port=${new URL(databaseUrl).port}\0`;
  const postmaster = readdirSync('/proc').find(pid => {
    const command = /^\d+$/.test(pid) ? commandOf(pid) : '';
    return /^[^\0]*\/postgres\0/.test(command) && command.includes(port);
  });
  return Number(postmaster ?? 0);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
