import { describe, expect, it } from 'vitest';
import { randomFrom } from '../fuzz-inputs.ts';
import type { ProtocolName } from '../index.ts';
import { DIALECTS } from './every.ts';
import { checkVariant, eachVariant, randomVariants, type Variant } from './variants.ts';

/** A sample of the millions of variants that `npm run fuzz` tries. */
const TURNS = 60;
const MIXES_A_TURN = 20;
const POSITIONS = 3;
const MOST_TOLD = 8;

const entries = Object.entries(DIALECTS).map(([name, dialects]) => ({ name: name as ProtocolName, dialects }));

describe.each(entries)('dialects of $name: no fix lost, none that is none', ({ name, dialects }) => {
  const failuresOf = (variants: readonly Variant[]): string[] =>
    variants.flatMap(variant => {
      try {
        checkVariant(name, dialects, variant);
        return [];
      } catch (error) {
        return [`${variant.choices}: ${toldAs(variant)}: ${error instanceof Error ? error.message : error}`];
      }
    });

  it.each(dialects.dialects)('$name, each piece in each alternative', dialect => {
    const variants = Array.from({ length: POSITIONS }, (_, seed) => eachVariant(dialect, randomFrom(seed))).flat();
    expect(failuresOf(variants).slice(0, MOST_TOLD)).toEqual([]);
  });

  it('combinations of variants', () => {
    const random = randomFrom(7);
    const variants = Array.from({ length: TURNS }, () => randomVariants(dialects, random, MIXES_A_TURN)).flat();
    expect(failuresOf(variants).slice(0, MOST_TOLD)).toEqual([]);
  });
});

function toldAs({ bytes }: Variant): string {
  const isText = bytes.every(byte => byte >= 0x20 && byte < 0x7f);
  return isText ? String.fromCharCode(...bytes) : Buffer.from(bytes).toString('hex');
}
