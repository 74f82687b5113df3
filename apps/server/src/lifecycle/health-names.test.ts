import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');
const TEXTS = join(import.meta.dirname, '../../../web/src/locales/en-US/settings.json');

it('every check that /health can report has its name on the system page', () => {
  const sources = globSync('**/*.ts', { cwd: SOURCES })
    .filter(path => !path.endsWith('.test.ts'))
    .map(path => readFileSync(join(SOURCES, path), 'utf8'));
  const registered = sources.flatMap(text => [...text.matchAll(/\bhealth\.register\(\s*(?:'([^']+)')?/g)]);
  const checks = registered.map(([, name]) => name);
  // Each by a name that can be read here.
  expect(checks).toEqual(expect.arrayContaining(['database', 'ingest', 'bus', 'backup']));
  expect(checks).not.toContain(undefined);
  const { system } = JSON.parse(readFileSync(TEXTS, 'utf8')) as { system: { checks: Record<string, string> } };
  expect(checks.toSorted()).toEqual(Object.keys(system.checks).toSorted());
});
