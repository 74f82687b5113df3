import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import { INHERITED, processesWith } from '../testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../testing/scratch.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';

// On a busy machine a server takes a minute to start.
vi.setConfig({ testTimeout: 180_000 });

const scratch = makeScratchFolder();
const dataDir = join(scratch, 'data');
const OWN = { DATA_DIR: dataDir, DEMO: 'off', OWNER_NAME: 'ann', OWNER_PASSWORD: 'a long enough one' };
/** The owner's, in the folder that the tests share. */
let password = OWN.OWNER_PASSWORD;
const running: ServerProcess[] = [];

function start(env: Record<string, string>): ServerProcess {
  const server = startServerProcess(env);
  running.push(server);
  return server;
}
afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGTERM');
    await ended;
  }
});
afterAll(() => removeScratchFolder(scratch));

const signIn = (url: string, userName: string, as: string): Promise<Response> =>
  fetch(`${url}/api/v1/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName, password: as }),
  });

it('creates the owner of an empty system, who gets a new password while it runs (npm run owner), is healthy, and leaves nothing behind when the launcher is gone', async () => {
  const server = start(OWN);
  const { url, demo } = (await server.ready)!;
  expect(demo).toBeNull();
  expect((await fetch(`${url}/health`)).status).toBe(200);
  expect((await signIn(url, OWN.OWNER_NAME, OWN.OWNER_PASSWORD)).status).toBe(200);
  expect((await signIn(url, 'demo', 'demo-fleet')).status).toBe(401);
  const owner = spawnSync(process.execPath, [join(import.meta.dirname, 'owner.ts'), 'ann'], {
    encoding: 'utf8',
    env: { ...INHERITED, DATA_DIR: dataDir },
  });
  expect(owner.stdout).toContain('ann has a new password');
  password = /Password: (\S+)/.exec(owner.stdout)?.[1] ?? '';
  expect((await signIn(url, 'ann', password)).status).toBe(200);
  expect((await signIn(url, 'ann', OWN.OWNER_PASSWORD)).status).toBe(401);
  server.child.disconnect();
  expect(await server.ended).toBe(0);
  expect(processesWith(scratch)).toEqual([]);
  expect(existsSync(join(dataDir, 'server.pid'))).toBe(false);
});

it('is refused on a folder that another one works on, and the first goes on', { tags: 'long' }, async () => {
  const first = start(OWN);
  const { url } = (await first.ready)!;
  const second = start(OWN);
  expect(await second.ended).toBe(1);
  expect(second.complaint()).toContain(`Another Milepost (process ${first.child.pid}) is running on the data folder`);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

it('says which variable to change when a port is taken, and leaves nothing', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => other.once('listening', resolve));
  const { port } = other.address() as AddressInfo;
  const server = start({ ...OWN, PORT: String(port) });
  expect(await server.ended).toBe(1);
  expect(server.complaint()).toContain(`Port ${port} is in use by another program.`);
  expect(server.complaint()).toContain(`set PORT to another port, e.g. PORT=${port + 1}`);
  expect(processesWith(scratch)).toEqual([]);
  await new Promise(resolve => other.close(resolve));
});

it('says every bad variable at once', async () => {
  const server = start({
    PORT: 'http',
    MQTT_PORT: '-1',
    DEMO: 'maybe',
    DATABASE_URL: 'sqlite:here',
    OWNER_NAME: 'ann',
  });
  expect(await server.ended).toBe(1);
  expect(server.complaint().match(/•/g)).toHaveLength(5);
});

it('says what to do with a data folder that is damaged', { tags: 'long' }, async () => {
  const damaged = join(scratch, 'damaged');
  mkdirSync(join(damaged, 'database/base'), { recursive: true });
  writeFileSync(join(damaged, 'database/PG_VERSION'), '18\n');
  const server = start({ ...OWN, DATA_DIR: damaged });
  expect(await server.ended).toBe(1);
  expect(server.complaint()).toMatch(/Milepost can’t start:\n {2}• .*(from a backup|move .* away)/);
  rmSync(damaged, { recursive: true });
});

it('takes over after everything was killed, with what was committed', { tags: 'long' }, async () => {
  const first = start(OWN);
  await first.ready;
  for (const { pid } of processesWith(dataDir)) process.kill(pid, 'SIGKILL');
  first.child.kill('SIGKILL');
  await first.ended;
  const second = start(OWN);
  const { url } = (await second.ready)!;
  expect((await signIn(url, OWN.OWNER_NAME, password)).status).toBe(200);
});
