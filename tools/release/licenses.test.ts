import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../launch/install.mjs';
import { isPermissive, type LockedPackage, unlicensed } from './licenses.ts';

const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
  readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
);
const notice = readFileSync(join(ROOT, 'NOTICE'), 'utf8');

it('every package that ships is permissively licensed, or NOTICE says what its license asks for', () => {
  expect(unlicensed(lock.packages, notice)).toEqual([]);
});

it('finds a new package that is copyleft, unknown or without a license', () => {
  const packages = {
    'node_modules/a': { license: 'GPL-3.0-only' },
    'node_modules/b': {},
    'node_modules/@c/d': { license: 'MIT AND AGPL-3.0' },
    'node_modules/e': { license: 'SEE LICENSE IN LICENSE' },
    'node_modules/f': { license: 'GPL-3.0-only', dev: true },
    'node_modules/g': { license: '(GPL-2.0 OR MIT)' },
  };
  expect(unlicensed(packages, notice)).toEqual([
    'a: GPL-3.0-only',
    'b: no license',
    '@c/d: MIT AND AGPL-3.0',
    'e: SEE LICENSE IN LICENSE',
  ]);
  expect(unlicensed(packages, 'node_modules/a node_modules/b node_modules/@c/d node_modules/e')).toEqual([]);
});

it('reads SPDX expressions: of an “or” one is enough, of an “and” all have to be', () => {
  expect(['MIT', '(MIT OR CC0-1.0)', 'Apache-2.0 AND MIT', 'MIT OR (LGPL-3.0 AND ISC)'].every(isPermissive)).toBe(true);
  expect(['', 'LGPL-3.0-or-later', 'MIT AND LGPL-3.0', '(LGPL-3.0 OR GPL-2.0) AND MIT'].some(isPermissive)).toBe(false);
});
