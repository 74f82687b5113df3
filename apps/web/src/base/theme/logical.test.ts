import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const SOURCE = new URL('../../', import.meta.url).pathname;
/** Centering is the same in both directions. */
const ALLOWED = /: (50%|auto);|translate/;
const PHYSICAL =
  /^\s*((margin|padding|border)-(left|right)(-\w+)?|left|right|border-(top|bottom)-(left|right)-radius)\s*:|text-align: (left|right)|inset: (\S+ ){3}\S+;/;

it.each(globSync('**/*.css', { cwd: SOURCE }))('%s reads from right to left as well', file => {
  const lines = readFileSync(SOURCE + file, 'utf8').split('\n');
  expect(lines.filter(line => PHYSICAL.test(line) && !ALLOWED.test(line))).toEqual([]);
});
