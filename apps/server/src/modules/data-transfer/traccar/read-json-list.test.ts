import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { makeScratchFolder, removeScratchFolder } from '../../../../testing/scratch.ts';
import { elementsInOrder, elementsOf } from './read-json-list.ts';

const folder = makeScratchFolder();
afterAll(() => removeScratchFolder(folder));
const path = join(folder, 'list.json');

const written = (text: string): string => {
  writeFileSync(path, text);
  return path;
};
const read = async (text: string): Promise<unknown[]> => {
  const found: unknown[] = [];
  for await (const each of elementsOf(written(text))) found.push(JSON.parse(each.text));
  return found;
};

describe('a list in a file of JSON', () => {
  it('is read element by element as it is as a whole, however it is written [N13]', async () => {
    const list = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(
        list,
        fc.constantFrom(undefined, 1, '\t'),
        fc.constantFrom('', '\ufeff'),
        async (all, space, bom) => {
          const text = JSON.stringify(all, null, space);
          expect(await read(`${bom}${text}\n`)).toEqual(JSON.parse(text));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is read across the pieces in which a file comes, and in the order of a number', async () => {
    const rows = Array.from({ length: 5000 }, (_, n) => ({
      n: (n * 7919) % 5000,
      text: `”}],"\\ ${'x'.repeat(n % 90)}`,
    }));
    expect(await read(JSON.stringify(rows))).toEqual(rows);
    const found: unknown[] = [];
    for await (const { value } of elementsInOrder(path, each => (each as { n: number }).n)) found.push(value);
    expect(found).toEqual(rows.toSorted((a, b) => a.n - b.n));
  });

  it.each(['', '{"a": 1}', '[1, 2', '[1] [2]', '[{"a": 1]', 'null', '[1, nonsense]'])(
    'is not read if it is none: %s',
    async text => {
      await expect(read(text)).rejects.toThrow();
    },
  );
});
