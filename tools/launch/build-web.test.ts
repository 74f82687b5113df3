import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { makeScratchFolder, removeScratchFolder } from '../../apps/server/testing/scratch.ts';
import { fingerprintOf } from './build-web.ts';

const root = makeScratchFolder();
afterAll(() => removeScratchFolder(root));

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}

it('rebuilds if any source of a build changes, and only then', () => {
  const seen = [fingerprintOf(root)];
  const expectStale = (): void => {
    expect(seen).not.toContain(fingerprintOf(root));
    seen.push(fingerprintOf(root));
  };
  for (const file of [
    'apps/web/src/features/login/LoginPage.tsx',
    'apps/web/public/icon.svg',
    'apps/web/build/compress.ts',
    'apps/web/index.html',
    'apps/web/vite.config.ts',
    'packages/units/src/index.ts',
    'packages/units/package.json',
    'package-lock.json',
  ]) {
    write(file, 'one');
    expectStale();
    write(file, 'two');
    expectStale();
  }
  write('apps/web/src/paths.test.ts', 'a test');
  write('apps/server/src/main.ts', 'another app');
  write('apps/web/dist/index.html', 'the build itself');
  utimesSync(join(root, 'apps/web/index.html'), 0, 0);
  expect(fingerprintOf(root)).toBe(seen.at(-1));
});
