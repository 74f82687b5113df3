import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeScratchFolder, removeScratchFolder } from '../../testing/scratch.ts';
import { claimFolder } from './claim.ts';

let folder: string;
beforeEach(() => {
  folder = makeScratchFolder();
});
afterEach(() => removeScratchFolder(folder));

const leave = (text: string): void => writeFileSync(join(folder, 'server.pid'), text);

it('gives a folder to one process at a time, and leaves nothing after release', async () => {
  const claim = await claimFolder(folder);
  await expect(claimFolder(folder)).rejects.toThrow(`(process ${process.pid})`);
  await claim.release();
  expect(readdirSync(folder)).toEqual([]);
  await (await claimFolder(folder)).release();
});

it('ignores the claim of a process that has ended', async () => {
  const gone = spawn('true');
  await once(gone, 'exit');
  leave(`${gone.pid} 12345\n`);
  await (await claimFolder(folder)).release();
});

it.runIf(process.platform === 'linux')('is not held up by a later process with the same pid', async () => {
  leave(`${process.pid} 12345\n`);
  await (await claimFolder(folder)).release();
});

it('ignores an empty claim file', async () => {
  for (const text of ['', 'x', '0 0', '-1 5']) {
    leave(text);
    await (await claimFolder(folder)).release();
  }
});

it('is won by exactly one of several that start together', async () => {
  leave('999999999 1\n');
  const script = `
    import { claimFolder } from ${JSON.stringify(join(import.meta.dirname, 'claim.ts'))};
    try { await claimFolder(${JSON.stringify(folder)}); console.log('won'); setTimeout(() => {}, 60_000); }
    catch (error) { console.log(error.name === 'StartupError' ? 'lost' : error); }`;
  const contenders = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  const answers = await Promise.all(
    contenders.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()),
  );
  for (const contender of contenders) contender.kill();
  expect(answers.sort()).toEqual(['lost', 'lost', 'lost', 'won']);
});
