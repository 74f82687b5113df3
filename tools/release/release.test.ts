import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually, processesWith } from '../../apps/server/testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../../apps/server/testing/scratch.ts';
import { ANY_PORTS } from '../../apps/server/testing/server-process.ts';
import { describeRelease, nameOf, packRelease, type Release } from './archive.ts';

/** For each test: on a suite, the tag's own timeout would win. */
const SLOW = { timeout: 600_000 };
const NOBODY = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const scratch = makeScratchFolder();
afterAll(() => removeScratchFolder(scratch));

const sumOf = (archive: string): string => readFileSync(`${archive}.sha256`, 'utf8');

describe.runIf(process.platform === 'linux')('a release', { tags: 'long' }, () => {
  const release: Release = { ...describeRelease(), at: new Date('2026-11-26T12:00:00Z') };
  const pack = (folder: string): Promise<string> => packRelease(join(scratch, folder), release);

  it('has the same bytes when it is made twice, and the checksum of sha256sum', SLOW, async () => {
    const [first, second] = [await pack('first'), await pack('second')];
    expect(sumOf(second)).toBe(sumOf(first));
    expect(execFileSync('sha256sum', [first], { encoding: 'utf8' }).split(' ')[0]).toBe(sumOf(first).split(' ')[0]);
  });

  it('runs where there is no npm, no Node and nothing to write but the data, and stops', SLOW, async () => {
    const archive = existsSync(join(scratch, 'first'))
      ? join(scratch, 'first', `${nameOf(release)}.tar.gz`)
      : await pack('first');
    execFileSync('tar', ['-xzf', archive, '-C', scratch]);
    const home = join(scratch, nameOf(release));
    const [bin, data] = [join(scratch, 'bin'), join(scratch, 'data')];
    for (const folder of [bin, data]) mkdirSync(folder);
    for (const program of ['sh', 'dirname', 'readlink']) symlinkSync(`/bin/${program}`, join(bin, program));
    if (isRoot) chownSync(data, NOBODY.uid, NOBODY.gid);
    const child = spawn(join(home, 'milepost'), ['start'], {
      ...(isRoot && NOBODY),
      cwd: scratch,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: bin, ...ANY_PORTS, DATA_DIR: join(data, 'milepost'), DEMO: 'off', LOG_LEVEL: 'error' },
    });
    try {
      let printed = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
      expect(await eventually(() => printed.includes('Ctrl-C') || child.exitCode !== null, 240_000)).toBe(true);
      const url = /http:[^\s#]+(?=\n)/.exec(printed)?.[0] ?? '';
      expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok', version: release.version });
      const page = await (await fetch(url)).text();
      const script = /<script[^>]* src="([^"]+)"/.exec(page)?.[1];
      const answer = await fetch(`${url}${script}`);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
    } finally {
      child.kill('SIGTERM');
    }
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(processesWith(home)).toEqual([]);
  });

  it('refuses another system, and knows only the commands that it brings', () => {
    const home = join(scratch, nameOf(release));
    const refusal = (...args: string[]): string =>
      spawnSync(join(home, 'milepost'), args, { encoding: 'utf8', cwd: scratch }).stderr;
    expect(refusal('test')).toMatch(/^Choose a command: start \| (?!.*\btest\b)/);
    const about = join(home, 'release.json');
    writeFileSync(about, readFileSync(about, 'utf8').replace(release.platform, 'plan9-mips'));
    expect(refusal('start')).toMatch(/^This is Milepost for plan9-mips\./);
  });
});
