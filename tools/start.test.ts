import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { canEnter } from '../apps/server/src/db/embedded/system-user.ts';
import { eventually, processesWith } from '../apps/server/testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../apps/server/testing/scratch.ts';
import { ANY_PORTS } from '../apps/server/testing/server-process.ts';
import { ROOT } from './launch/install.mjs';

// The first start may have to build the web app.
vi.setConfig({ testTimeout: 180_000 });

const LONG = { tags: 'long' } as const;
const NOBODY = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const scratch = makeScratchFolder();
const running: { child: ChildProcess; dataDir: string }[] = [];

afterEach(async () => {
  for (const { child, dataDir } of running.splice(0)) {
    child.kill('SIGTERM');
    await eventually(() => everythingOf(dataDir).length === 0);
  }
});
afterAll(() => removeScratchFolder(scratch));

interface Launched {
  readonly child: ChildProcess;
  readonly url: string;
  readonly printed: () => string;
}

/** Runs `npm start` as npm does, with its own data folder; resolves when it has printed its greeting. */
async function launch(
  dataDir: string,
  options: { env?: Record<string, string>; user?: typeof NOBODY } = {},
): Promise<Launched> {
  const child = spawn(process.execPath, ['tools/run.mjs', 'start'], {
    ...options.user,
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', ...ANY_PORTS, DATA_DIR: dataDir, DEMO: 'off', ...options.env },
  });
  running.push({ child, dataDir });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  expect(await eventually(() => printed.includes('Ctrl-C') || child.exitCode !== null, 120_000)).toBe(true);
  return { child, url: /http:\S+/.exec(printed)?.[0] ?? '', printed: () => printed };
}

/**
 * Every process of this data folder's Milepost: those with the folder in their arguments and those with it in DATA_DIR.
 */
function everythingOf(dataDir: string): number[] {
  return processesWith('').flatMap(({ pid, command }) => {
    try {
      const inEnvironment = readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`DATA_DIR=${dataDir}\0`);
      return inEnvironment || command.includes(dataDir) ? [pid] : [];
    } catch {
      return [];
    }
  });
}

describe('npm start', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends with everything it started on %s', LONG, async signal => {
    const dataDir = join(scratch, 'data');
    const { child, url } = await launch(dataDir);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(everythingOf(dataDir).length).toBeGreaterThan(3);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(everythingOf(dataDir)).toEqual([]);
  });

  it('exits with a failure when the server can’t start', async () => {
    const dataDir = join(scratch, 'data');
    const { child, printed } = await launch(dataDir, { env: { PORT: 'http' } });
    expect(child.exitCode).toBe(1);
    expect(printed()).not.toContain('Milepost is running');
    expect(everythingOf(dataDir)).toEqual([]);
  });

  it('leaves no process behind when only the launcher is killed', LONG, async () => {
    const dataDir = join(scratch, 'data');
    const { child } = await launch(dataDir);
    child.kill('SIGKILL');
    expect(await eventually(() => everythingOf(dataDir).length === 0)).toBe(true);
  });

  it('exits with a failure when its server is killed', LONG, async () => {
    const dataDir = join(scratch, 'data');
    const { child, printed } = await launch(dataDir);
    const server = processesWith('apps/server/src/main.ts').find(({ pid }) => everythingOf(dataDir).includes(pid));
    process.kill(server!.pid, 'SIGKILL');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(printed()).toContain('The server was killed.');
    expect(await eventually(() => everythingOf(dataDir).length === 0)).toBe(true);
  });

  it('is a demo on an empty folder, prints how to sign in to it, and drives its fleet', async () => {
    const dataDir = join(scratch, 'demo');
    const { child, url, printed } = await launch(dataDir, { env: { DEMO: 'auto' } });
    expect(printed()).toContain('Sign in as demo with the password demo-fleet.');
    expect(printed()).toContain(
      'Other users with the same password: demo-admin, demo-dispatcher, demo-city, demo-viewer, demo-driver.',
    );
    const answer = await fetch(`${url}/api/v1/signin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ userName: 'demo', password: 'demo-fleet' }),
    });
    const { token } = (await answer.json()) as { token: string };
    const reports = async (): Promise<{ reportTime: string }[]> => {
      const latest = await fetch(`${url}/api/v1/position/latest`, { headers: { authorization: `Bearer ${token}` } });
      return (await latest.json()) as { reportTime: string }[];
    };
    await expect.poll(async () => (await reports()).length, { timeout: 120_000 }).toBe(40);
    const before = JSON.stringify(await reports());
    await expect.poll(async () => JSON.stringify(await reports()), { timeout: 30_000 }).not.toBe(before);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(everythingOf(dataDir)).toEqual([]);
  }, 240_000);
});

describe.skipIf(!isRoot)('npm start by others', () => {
  it.skipIf(!canEnter(NOBODY, ROOT))('runs as an ordinary user', LONG, async () => {
    const home = join(scratch, 'ordinary');
    mkdirSync(home);
    chownSync(home, NOBODY.uid, NOBODY.gid);
    const dataDir = join(home, 'data');
    const { child, url } = await launch(dataDir, { user: NOBODY });
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(everythingOf(dataDir)).toEqual([]);
  });

  it('runs as root in a folder that only root can enter', LONG, async () => {
    const closed = join(scratch, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    const dataDir = join(closed, 'data');
    const { child, url } = await launch(dataDir);
    const place = readFileSync(join(dataDir, 'database.location'), 'utf8').trim();
    try {
      expect((await fetch(`${url}/health`)).status).toBe(200);
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect([...everythingOf(dataDir), ...processesWith(place)]).toEqual([]);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});
