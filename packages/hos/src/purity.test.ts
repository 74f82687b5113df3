import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Command-line entry points may use the machine; everything else must be a pure function. */
const ENTRY_OR_TEST = /(^|\/)cli\.ts$|\.test\.ts$/;
const IMPURE = [
  /from '(node:|fs|net|os|path|buffer)/,
  /\bBuffer\b/,
  /\bprocess\./,
  /\bDate\.now\(/,
  /\bnew Date\(\)/,
  /\bMath\.random\(/,
  /\bperformance\./,
  /\b(setTimeout|setInterval|fetch)\(/,
];

describe('[I3] the hours-of-service engine is pure', () => {
  const folder = new URL('./', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.ts') && !ENTRY_OR_TEST.test(file),
  );

  it('finds their files', () => expect(files.length).toBeGreaterThan(30));

  it.each(files)('%s knows no clock, no chance, no machine', file => {
    const text = readFileSync(new URL(file, folder), 'utf8');
    for (const pattern of IMPURE) expect(text).not.toMatch(pattern);
  });
});
