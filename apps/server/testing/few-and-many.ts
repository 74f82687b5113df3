import { it } from 'vitest';

/**
 * A property whose every case costs a part of a second or more, because it goes through a database: a few cases in
 * `npm test`, many in `npm run test:long`. What it proves is the same.
 */
export function itHolds(
  title: string,
  { few, many }: { readonly few: number; readonly many: number },
  prove: (numRuns: number) => Promise<void>,
): void {
  it(title, { timeout: 120_000 }, () => prove(few));
  it(`${title} (many cases)`, { tags: ['long'], timeout: 900_000 }, () => prove(many));
}
