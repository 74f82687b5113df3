import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tablesDocument } from './tables-document.ts';

describe('docs/protocols/tables.md', () => {
  it('matches the decoders; otherwise run node packages/decoders/src/cli-tables.ts', () => {
    const written = readFileSync(new URL('../../../docs/protocols/tables.md', import.meta.url), 'utf8');
    expect(written).toBe(tablesDocument());
  });
});
