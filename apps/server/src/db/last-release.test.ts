import { fork, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, inject, it } from 'vitest';
import { checkOut } from '../../testing/checkout.ts';
import { testImei } from '../../testing/imei.ts';
import { INHERITED } from '../../testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../../testing/scratch.ts';
import { ANY_PORTS } from '../../testing/server-process.ts';
import { isReadyMessage, type ReadyMessage } from '../lifecycle/launcher.ts';
import { openDatabases } from './database.ts';
import { migrate } from './migrate.ts';

/** The checkout. */
const ROOT = join(import.meta.dirname, '../../../..');
const { commit }: { commit: string } = JSON.parse(readFileSync(join(import.meta.dirname, 'last-release.json'), 'utf8'));
const isInHistory = spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: ROOT }).status === 0;
const OWNER = { userName: 'ann', password: 'a long enough one' };

const scratch = makeScratchFolder();
afterAll(() => removeScratchFolder(scratch));

class Server {
  readonly #ready: ReadyMessage;
  readonly #stop: () => Promise<void>;
  #token = '';

  private constructor(ready: ReadyMessage, stop: () => Promise<void>) {
    this.#ready = ready;
    this.#stop = stop;
  }

  /** Starts the server of a checkout. Rejects with what it says if it can't. */
  static async start(checkout: string, databaseUrl: string): Promise<Server> {
    const child = fork(join(checkout, 'apps/server/src/main.ts'), [], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        ...INHERITED,
        LOG_LEVEL: 'error',
        ...ANY_PORTS,
        DATABASE_URL: databaseUrl,
        DATA_DIR: join(scratch, 'data'),
        DEMO: 'off',
        OWNER_NAME: OWNER.userName,
        OWNER_PASSWORD: OWNER.password,
      },
    });
    let complaint = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text;
    });
    const ended = once(child, 'close');
    const ready = await Promise.race([
      new Promise<ReadyMessage>(resolve => child.on('message', message => isReadyMessage(message) && resolve(message))),
      ended.then(() => null),
    ]);
    if (!ready) throw new Error(complaint);
    const server = new Server(ready, async () => {
      child.kill('SIGTERM');
      await ended;
    });
    const { token } = (await server.call('POST', 'signin', OWNER)) as { token: string };
    server.#token = token;
    return server;
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  async call(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#ready.url}/api/v1/${path}`, {
      method,
      headers: { ...(this.#token && { authorization: `Bearer ${this.#token}` }), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }

  /** Adds one of each: a folder, a driver, a vehicle that reports, a geofence. */
  async write(n: number): Promise<void> {
    const { id: folderId } = (await this.call('POST', 'folder', { name: `Folder ${n}` })) as { id: string };
    const { id: driverId } = (await this.call('POST', 'driver', { name: `Driver ${n}` })) as { id: string };
    const imei = testImei(n);
    const { id } = (await this.call('POST', 'device', { imei, deviceName: `Truck ${n}` })) as { id: string };
    await this.call('PATCH', `device/${id}`, { usualDriverId: driverId, folderId });
    const shape = { kind: 'circle', center: [-88, 41.95], radiusM: 500 };
    await this.call('POST', 'geofence', { name: `Yard ${n}`, shape });
    const report = new URLSearchParams({
      id: imei,
      lat: '41.95',
      lon: '-88',
      timestamp: String(Date.now()),
      speed: '0',
    });
    const { status } = await fetch(`http://127.0.0.1:${this.#ready.trackerPorts.osmand}/?${report}`);
    expect(status).toBe(200);
  }

  /** What pages show of what was written. */
  async read(): Promise<Record<string, unknown>> {
    const names = async (path: string, key: string): Promise<unknown[]> =>
      ((await this.call('GET', path)) as Record<string, unknown>[]).map(item => item[key]).sort();
    return {
      vehicles: await names('device', 'deviceName'),
      folders: await names('folder', 'name'),
      drivers: await names('driver', 'name'),
      geofences: await names('geofence', 'name'),
      reported: await names('position/latest', 'imei'),
    };
  }

  /** Answers of all calls that only read and need no more than the owner, by path: none may be an error of the server. */
  async failures(): Promise<string[]> {
    const api = (await (await fetch(`${this.#ready.url}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const paths = Object.keys(api.paths).filter(path => api.paths[path]?.get && !path.includes('{'));
    expect(paths.length).toBeGreaterThan(50);
    const failed: string[] = [];
    for (const path of paths) {
      const response = await fetch(`${this.#ready.url}${path}`, {
        headers: { authorization: `Bearer ${this.#token}` },
        signal: AbortSignal.timeout(5000),
      }).catch(() => null);
      await response?.body?.cancel();
      if ((response?.status ?? 0) >= 500 && response?.status !== 503) failed.push(`${path}: ${response?.status}`);
    }
    return failed;
  }
}

describe.skipIf(!isInHistory)(`the last release (${commit.slice(0, 8)})`, { tags: 'long', timeout: 240_000 }, () => {
  let server: Server | null = null;
  afterEach(() => server?.stop());
  const written = (...numbers: readonly number[]) => ({
    vehicles: numbers.map(n => `Truck ${n}`),
    folders: numbers.map(n => `Folder ${n}`),
    drivers: numbers.map(n => `Driver ${n}`),
    geofences: numbers.map(n => `Yard ${n}`),
    reported: numbers.map(testImei),
  });

  it('works while this version changes the schema, which then takes over, and can be gone back from', async () => {
    const released = checkOut(commit, join(scratch, 'released'));
    const url = new URL(inject('databaseUrl'));
    const administrator = new Client(url.href);
    await administrator.connect();
    const name = `upgrade_${randomBytes(8).toString('hex')}`;
    await administrator.query(`create database ${name}`);
    url.pathname = `/${name}`;
    const databases = openDatabases({ connectionString: url.href });
    try {
      server = await Server.start(released, url.href);
      await server.write(1);

      // Beside the running old server, as at an upgrade without an interruption.
      const applied = await migrate(databases.pool);
      await server.write(2);
      expect(await server.read()).toMatchObject(written(1, 2));
      expect(await server.failures()).toEqual([]);
      await server.stop();

      server = await Server.start(ROOT, url.href);
      expect(await server.read()).toMatchObject(written(1, 2));
      await server.write(3);
      expect(await server.failures()).toEqual([]);
      await server.stop();

      // Releases from before migrations were marked refuse any newer schema.
      const back = Server.start(released, url.href);
      const marks = readFileSync(join(released, 'apps/server/src/db/migrate.ts'), 'utf8').includes('additive');
      if (marks || applied.length === 0) {
        server = await back;
        expect(await server.read()).toMatchObject(written(1, 2, 3));
        await server.write(4);
      } else await expect(back).rejects.toThrow('The database was changed by a newer Milepost');
    } finally {
      await server?.stop();
      server = null;
      await databases.close();
      await administrator.query(`drop database ${name} with (force)`);
      await administrator.end();
    }
  });
});

it.runIf(!isInHistory)(
  'can’t be tried here, because its code is not in this clone’s history',
  { tags: 'long' },
  context => context.skip(`git fetch --unshallow brings the commit ${commit}`),
);
