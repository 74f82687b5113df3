import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { eventually, INHERITED } from '../../testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../../testing/scratch.ts';
import { startServerProcess } from '../../testing/server-process.ts';
import { ask } from './settings.ts';

const scratch = makeScratchFolder();
afterAll(() => removeScratchFolder(scratch));

const OWN = { DEMO: 'off', OWNER_NAME: 'ann', OWNER_PASSWORD: 'a long enough one' };

/** Runs `npm run backup` or `npm run restore`. */
function command(name: 'backup' | 'restore', dataDir: string, ...args: readonly string[]) {
  return new Promise<{ code: number | null; out: string; err: string }>(resolve => {
    const child = spawn(process.execPath, [join(import.meta.dirname, `../${name}.ts`), ...args], {
      env: { ...INHERITED, DATA_DIR: dataDir, DEMO: 'off' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('close', code => resolve({ code, out, err }));
  });
}

it('says what to do before there is a backup, and what is wrong with its parameters', {
  timeout: 120_000,
}, async () => {
  const dataDir = join(scratch, 'empty');
  expect(await command('backup', dataDir)).toMatchObject({
    code: 1,
    err: expect.stringContaining('No backup is set up'),
  });
  expect((await command('backup', dataDir, '--to', 'relative')).err).toBe(
    'Enter the whole path of the folder, from the root: relative\n',
  );
  expect((await command('restore', dataDir, '--to', 'yesterday', '--from', scratch)).err).toContain('is no moment');
  expect((await command('restore', dataDir, '--to', 'latest')).err).toContain('Say where the backup is');
});

it('a server backs up, is killed at any moment of it, and all is restored on another machine', {
  tags: 'long',
  timeout: 600_000,
}, async () => {
  const dataDir = join(scratch, 'data');
  const store = join(scratch, 'store');
  mkdirSync(store);
  let server = startServerProcess({ ...OWN, DATA_DIR: dataDir });
  expect(await server.ready).not.toBeNull();
  const setUp = await command('backup', dataDir, '--to', store);
  expect(setUp).toMatchObject({ code: 0, out: expect.stringMatching(/The running server does it…\nBacked up .* MB/) });
  const key = /^ {2}([a-z2-9-]{63})$/m.exec(setUp.out)?.[1] ?? '';

  for (const afterMs of [0, 400, 1000]) {
    await ask(dataDir, 'copy');
    expect(await eventually(() => !existsSync(join(dataDir, 'backup/asked')))).toBe(true);
    await sleep(afterMs);
    server.child.kill('SIGKILL');
    await server.ended;
    server = startServerProcess({ ...OWN, DATA_DIR: dataDir });
    expect(await server.ready).not.toBeNull();
  }
  expect(await command('backup', dataDir)).toMatchObject({ code: 0 });
  expect(await command('backup', dataDir, '--verify')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Test restore as of .*: \d+ tables with \d+ rows/),
  });
  expect((await command('restore', dataDir, '--to', 'latest')).err).toContain('is running on the data folder');
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(dataDir, { recursive: true });

  const again = join(scratch, 'again');
  const keyFile = join(scratch, 'key');
  writeFileSync(keyFile, key);
  const restored = await command('restore', again, '--to', 'latest', '--from', store, '--key-file', keyFile);
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining('Backups are paused') });
  expect(existsSync(join(again, 'backup/settings-then.env'))).toBe(true);
  server = startServerProcess({ DEMO: 'off', DATA_DIR: again });
  const ready = await server.ready;
  const { status } = await fetch(`${ready?.url}/api/v1/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userName: OWN.OWNER_NAME, password: OWN.OWNER_PASSWORD }),
  });
  expect(status).toBe(200);
  const health = (await (await fetch(`${ready?.url}/health`)).json()) as { checks: Record<string, string> };
  expect(health.checks.backup).toContain('Backups are paused');
  server.child.kill('SIGTERM');
  await server.ended;
});
