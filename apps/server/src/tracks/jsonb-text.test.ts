import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { jsonbText, jsonbTime } from './jsonb-text.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database.close());

const asked = async (text: string, values: readonly unknown[]): Promise<string[]> =>
  (await database.databases.pool.query<{ text: string }>(text, [values])).rows.map(row => row.text);

it('writes values and times to the last character as the database does [N13]', async () => {
  // A text with a zero byte or half a character is none in the database.
  const word = fc.string({ unit: 'binary', maxLength: 12 }).filter(text => !text.includes('\u0000'));
  const leaf = fc.oneof(
    ...[word, fc.boolean(), fc.constant(null), fc.integer()],
    ...[fc.double({ noNaN: true, noDefaultInfinity: true }), fc.double({ min: -1e-5, max: 1e-5, noNaN: true })],
  );
  const value = fc.dictionary(word, fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(word, leaf)));
  const values = fc.sample(value, { numRuns: 500, seed: 1 });
  const written = await asked(
    'select value::jsonb::text as text from unnest($1::text[]) value',
    values.map(each => JSON.stringify(each)),
  );
  expect(values.map(jsonbText)).toEqual(written);

  const times = fc.sample(
    fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) }).map(ms => ms - (ms % 3 === 0 ? ms % 1000 : 0)),
    { numRuns: 500, seed: 1 },
  );
  expect(times.map(jsonbTime)).toEqual(
    await asked(
      `select to_jsonb(at) #>> '{}' as text from unnest($1::timestamptz[]) at`,
      times.map(ms => new Date(ms).toISOString()),
    ),
  );
});
