import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { PINNED_NODE, ROOT } from '../launch/install.mjs';
import { serviceUnit } from './unit.ts';

const scratch = mkdtempSync(join(tmpdir(), 'milepost-service-'));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const SERVICE = {
  code: ROOT,
  node: PINNED_NODE,
  data: '/var/lib/milepost',
  settings: '/etc/milepost.env',
  user: 'root',
};
const service = (...args: readonly string[]) =>
  spawnSync(PINNED_NODE, [join(ROOT, 'tools/service/service.ts'), ...args], { encoding: 'utf8' });
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

it('starts the server on the pinned Node and lets it write only its data', () => {
  const unit = serviceUnit({ ...SERVICE, user: 'milepost', code: '/opt/milepost', node: '/opt/milepost/node' });
  expect(unit).toMatch(/^ExecStart=\/opt\/milepost\/node --\S+ --\S+ \/opt\/milepost\/apps\/server\/src\/main\.ts$/m);
  expect(unit).toMatch(/^Environment=NODE_ENV=production NODE_COMPILE_CACHE=\S+ DATA_DIR=\/var\/lib\/milepost$/m);
  expect(unit).toMatch(/^ReadWritePaths=\/var\/lib\/milepost$/m);
  expect(serviceUnit({ ...SERVICE, backup: '/mnt/backup' })).toMatch(
    /^ReadWritePaths=\/var\/lib\/milepost -\/mnt\/backup$/m,
  );
  expect(unit).toMatch(/^User=milepost$/m);
  expect(existsSync(join(ROOT, 'apps/server/src/main.ts'))).toBe(true);
});

it('keeps compiled code where the service may write, until the service is removed', () => {
  const unit = serviceUnit(SERVICE);
  const folder = /^CacheDirectory=(\w+)$/m.exec(unit)?.[1];
  expect(unit).toContain(` NODE_COMPILE_CACHE=/var/cache/${folder} `);
  expect(unit).toMatch(/^CacheDirectoryMode=0700$/m);
  const root = join(scratch, 'cached');
  const cache = join(root, 'var/cache/milepost');
  mkdirSync(cache, { recursive: true });
  expect(service('remove', '--root', root).status).toBe(0);
  expect(existsSync(cache)).toBe(false);
});

it('quotes paths with spaces, quotes, dollars and percent signs', () => {
  const unit = serviceUnit({ ...SERVICE, data: '/srv/fleet data/50% "cold" $x' });
  expect(unit).toContain('ReadWritePaths="/srv/fleet data/50%% \\"cold\\" $x"');
  const run = serviceUnit({ ...SERVICE, node: '/opt/$x y/node' });
  expect(run).toContain('ExecStart="/opt/$$x y/node" ');
  expect(unit).toContain('"DATA_DIR=/srv/fleet data/50%% \\"cold\\" $x"');
});

it.runIf(hasSystemd)('is a unit that systemd reads without a complaint, and finds well locked up', () => {
  const file = join(scratch, 'milepost.service');
  for (const data of ['/var/lib/milepost', '/srv/fleet data']) {
    writeFileSync(file, serviceUnit({ ...SERVICE, data }));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
    expect([status, `${stdout}${stderr}`.split('\n').filter(line => line.includes('milepost.service'))]).toEqual([
      0,
      [],
    ]);
  }
  writeFileSync(file, serviceUnit({ ...SERVICE, user: 'milepost' }));
  const args = ['security', '--offline=true', '--threshold=30', file];
  const { status, stdout } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  expect(status, stdout).toBe(0);
});

it('writes unit and settings below a folder, and keeps settings that were changed', () => {
  const root = join(scratch, 'image');
  const settings = join(root, 'etc/milepost.env');
  const unit = join(root, 'etc/systemd/system/milepost.service');
  expect(service('install', '--root', root)).toMatchObject({ status: 0, stderr: '' });
  expect(statSync(settings).mode & 0o777).toBe(0o640);
  expect(readFileSync(settings, 'utf8')).toMatch(/^DEMO=off$/m);
  writeFileSync(settings, 'DEMO=off\nHOST=0.0.0.0\n');
  expect(service('install', '--root', root, '--data', '/srv/fleet').status).toBe(0);
  expect(readFileSync(settings, 'utf8')).toBe('DEMO=off\nHOST=0.0.0.0\n');
  expect(readFileSync(unit, 'utf8')).toContain('DATA_DIR=/srv/fleet');
  expect(service('remove', '--root', root)).toMatchObject({ status: 0, stderr: '' });
  expect([existsSync(unit), existsSync(settings)]).toEqual([false, true]);
});

it('says what is wrong with a user name or a path', () => {
  const root = join(scratch, 'wrong');
  expect(service('install', '--root', root, '--user', 'a b')).toMatchObject({ status: 1 });
  expect(service('install', '--root', root, '--data', 'fleet').stderr).toBe('fleet must be an absolute path.\n');
  expect(existsSync(root)).toBe(false);
});
