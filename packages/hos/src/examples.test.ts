import { readdirSync } from 'node:fs';
import { epochMs } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { evaluate } from './evaluate.ts';
import type { Clock } from './evaluation.ts';
import { readDutyLog } from './read-duty-log.ts';
import { ruleSets } from './rule-sets.ts';
import { type Example, readExample } from './testing/example.ts';

/** Each rule has a file of worked examples beside it. */
const FOLDER = new URL('./rules/', import.meta.url);
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' });
const rules = files.filter(file => file.endsWith('.ts') && !file.endsWith('.examples.ts')).sort();

describe('worked examples', () => {
  it.each(rules)('stand beside %s', rule => expect(files).toContain(rule.replace(/\.ts$/, '.examples.ts')));
});

const left = (clock: Clock | null): string => (clock ? String(clock.remaining / 60_000) : '-');

for (const file of rules) {
  const { examples } = (await import(
    /* @vite-ignore */ new URL(file.replace(/\.ts$/, '.examples.ts'), FOLDER).href
  )) as {
    examples: readonly Example[];
  };
  describe(`examples of ${file.replace(/\.ts$/, '')}`, () => {
    it.each(examples)('$title', example => {
      const { raw, asOf, violations: expected } = readExample(example);
      const log = readDutyLog(raw);
      if (!log.ok) throw new Error(JSON.stringify(log.errors));
      const ruleSet = ruleSets[example.ruleSet ?? 'US_PROPERTY_70_8'];
      const { clocks, violations } = evaluate(log.value, ruleSet, epochMs(asOf));
      if (example.left !== undefined) {
        expect([clocks.drive, clocks.window, clocks.break, clocks.cycle].map(left).join(' / ')).toBe(example.left);
      }
      if (example.onDutyLeft !== undefined) expect(left(clocks.onDuty)).toBe(String(example.onDutyLeft));
      expect(violations.map(({ rule, start }) => ({ rule, start }))).toEqual(expected);
    });
  });
}
