import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../launch/install.mjs';
import { filesOfRelease, packagesOfRelease } from './contents.ts';
import { nameOf } from './licenses.ts';

const files = filesOfRelease();
const packages = packagesOfRelease();

it('has the code that runs, its migrations and its data, and what its licenses ask for', () => {
  const expected = [
    'LICENSE',
    'NOTICE',
    'README.md',
    'apps/server/src/main.ts',
    'apps/server/src/restore.ts',
    'apps/server/src/db/migrations/0001_foundation.sql',
    'apps/simulator/src/main.ts',
    'data/map/cities.pmtiles',
    'docs/install.md',
    'tools/run.mjs',
    'tools/service/service.ts',
  ];
  expect(expected.filter(file => !files.includes(file))).toEqual([]);
  expect(packages).toContain('node_modules/node');
});

it('has no tests, no developers’ tools and nothing of a data folder', () => {
  expect(files.filter(file => /\.test\.|^(e2e|bench|tools\/(release|test|map))\//.test(file))).toEqual([]);
  expect(packages.filter(path => /\/(vitest|typescript|vite|playwright|@biomejs)/.test(path))).toEqual([]);
  expect(files.filter(file => file.startsWith('data/') && !/^data\/(map|demo|passwords)\//.test(file))).toEqual([]);
});

it('brings every package that its code imports', () => {
  const known = new Set(packages.map(nameOf));
  const missing = files
    .filter(file => /\.(ts|mjs)$/.test(file) && !/^(tools\/launch\/serve-web|apps\/web)/.test(file))
    .flatMap(file => {
      const imported = readFileSync(join(ROOT, file), 'utf8').matchAll(
        /^(?:import|export)\b[^;]*?from '([^'.][^']*)'|\bimport\('([^'.][^']*)'\)/gm,
      );
      return [...imported].flatMap(([statement, atStart, later]) => {
        const name = atStart ?? later ?? '';
        const module = /^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? '';
        const isThere = name.startsWith('node:') || builtinModules.includes(module) || known.has(module);
        return statement.startsWith('import type') || isThere || module.startsWith('@milepost/')
          ? []
          : [`${file}: ${name}`];
      });
    });
  expect(missing).toEqual([]);
});
