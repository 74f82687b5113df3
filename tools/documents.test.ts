import { expect, it } from 'vitest';
import { referencesOf } from './documents.ts';

it('finds links and paths, each relative to its base', () => {
  const text =
    'See [life](life-of-a-position.md#gateway), [home](../README.md) and `apps/server/src/app.ts`.\n' +
    'Not [this](https://example.org/x), `npm run bench -- ingest` or `device/{imei}`.';
  expect(referencesOf('docs/architecture.md', text)).toEqual([
    { line: 1, path: 'docs/life-of-a-position.md' },
    { line: 1, path: 'README.md' },
    { line: 1, path: 'apps/server/src/app.ts' },
  ]);
});
