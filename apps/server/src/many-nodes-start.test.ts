import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type TestDatabase, testDatabase } from '../testing/database.ts';
import { findNats, type NatsProcess, startNats, WHY_NO_NATS } from '../testing/nats.ts';
import { INHERITED } from '../testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../testing/scratch.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';

const WAIT = { timeout: 90_000, interval: 200 };
const SERVERS = 3;

interface HealthOfNodes {
  readonly status: string;
  readonly checks: Readonly<Record<string, string>>;
  readonly nodes: readonly { readonly isRunning: boolean; readonly leads: boolean; readonly isThis: boolean }[];
}

describe.skipIf(!findNats())(
  `three servers on a database without a table${findNats() ? '' : ` (${WHY_NO_NATS})`}`,
  () => {
    let database: TestDatabase;
    let nats: NatsProcess;
    const [dataDir, aside] = [makeScratchFolder(), makeScratchFolder()];
    const running = new Map<string, ServerProcess>();

    const start = async (more: Readonly<Record<string, string>> = {}): Promise<string> => {
      const process = startServerProcess({
        ...{ DATABASE_URL: database.url, NATS_URL: nats.url, DATA_DIR: dataDir, DEMO: 'off' },
        ...{ OWNER_NAME: 'ann', OWNER_PASSWORD: 'a long enough one' },
        ...more,
      });
      const ready = await process.ready;
      if (!ready) throw new Error(process.complaint());
      running.set(ready.url, process);
      return ready.url;
    };
    /** Runs `npm run backup` or `npm run restore` on one of the machines. */
    const command = (name: 'backup' | 'restore', ...args: readonly string[]): string => {
      const env = { ...INHERITED, DATABASE_URL: database.url, DATA_DIR: dataDir, DEMO: 'off' };
      const { stderr, stdout } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...args], {
        ...{ env, encoding: 'utf8', timeout: 120_000 },
      });
      return stdout + stderr;
    };
    const healthOf = async (url: string) => (await (await fetch(`${url}/health`)).json()) as HealthOfNodes;

    beforeAll(async () => {
      [database, nats] = await Promise.all([testDatabase(), startNats()]);
      await database.databases.pool.query(
        'drop schema if exists jobs cascade; drop schema public cascade; create schema public',
      );
    });
    afterAll(async () => {
      for (const { child, ended } of running.values()) {
        child.kill('SIGKILL');
        await ended;
      }
      await nats?.stop();
      await database?.close();
      for (const folder of [dataDir, aside]) removeScratchFolder(folder);
    });

    it('start, make one account, know each other, back up once, and hand the lead on', {
      tags: ['long'],
      timeout: 300_000,
    }, async () => {
      const urls = await Promise.all(Array.from({ length: SERVERS }, () => start()));
      const { system } = database.databases;
      expect(await system.selectFrom('account').select('operator').execute()).toEqual([{ operator: true }]);
      expect(await system.selectFrom('app_user').select('user_name').execute()).toEqual([{ user_name: 'ann' }]);
      const leaders = async (): Promise<string[]> => {
        const all = await Promise.all([...running.keys()].map(async url => ({ url, ...(await healthOf(url)) })));
        for (const { checks, nodes, status } of all) {
          expect({ status, ...checks }).toMatchObject({
            status: 'ok',
            bus: 'ok',
            servers: 'ok',
            clock: 'ok',
            jobs: 'ok',
          });
          expect(nodes.map(({ isRunning }) => isRunning)).toEqual(Array.from(running, () => true));
        }
        return all.flatMap(({ nodes, url }) => (nodes.find(({ isThis }) => isThis)?.leads ? url : []));
      };
      await vi.waitFor(async () => expect(await leaders()).toHaveLength(1), WAIT);
      // Without the bus it would not know of them.
      const alone = startServerProcess({ DATABASE_URL: database.url, DATA_DIR: aside, DEMO: 'off' });
      expect(await alone.ready).toBeNull();
      expect(alone.complaint()).toContain('set NATS_URL on all of them');

      const store = join(aside, 'store');
      mkdirSync(store);
      expect(command('backup', '--to', store)).toMatch(/The running server does it…\nBacked up .* MB/);
      expect(command('restore', '--to', 'latest')).toContain('Milepost servers run on this database');

      const [first = ''] = await leaders();
      const leaving = running.get(first);
      running.delete(first);
      leaving?.child.kill('SIGTERM');
      expect(await leaving?.ended).toBe(0);
      await vi.waitFor(async () => expect(await leaders()).toHaveLength(1), WAIT);
      expect(urls).toContain(first);
      await start();
      await vi.waitFor(async () => expect(await leaders()).toHaveLength(1), WAIT);
    });
  },
);
