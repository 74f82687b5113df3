import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { ArrayParameter } from './array-parameter.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** How PostgreSQL reads a parameter, as text. */
async function asPostgresSees(type: string, parameter: ArrayParameter): Promise<(string | null)[]> {
  const { rows } = await database.databases.pool.query<{ value: string | null }>(
    `select value::text from unnest($1::${type}[]) with ordinality as read (value, n) order by n`,
    [parameter.finish()],
  );
  return rows.map(row => row.value);
}

const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

it('hands numbers and truth values over as they are, nulls among them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(orNull(fc.double({ noNaN: true })), { maxLength: 50 }),
      fc.array(orNull(fc.integer({ min: -32_768, max: 32_767 })), { maxLength: 50 }),
      fc.array(orNull(fc.boolean()), { maxLength: 50 }),
      async (doubles, smalls, booleans) => {
        const [float8, int2, bool] = [
          new ArrayParameter('float8'),
          new ArrayParameter('int2'),
          new ArrayParameter('bool'),
        ];
        for (const value of doubles) float8.float8(value);
        for (const value of smalls) int2.int2(value);
        for (const value of booleans) bool.bool(value);
        const back = (values: (string | null)[]) => values.map(value => (value === null ? null : Number(value)));
        expect(back(await asPostgresSees('float8', float8))).toEqual(doubles);
        expect(back(await asPostgresSees('int2', int2))).toEqual(smalls);
        expect(await asPostgresSees('bool', bool)).toEqual(booleans.map(value => (value === null ? null : `${value}`)));
      },
    ),
    { numRuns: 30 },
  );
});

it('hands over every millisecond from year 1 to 9999', async () => {
  const time = fc.integer({ min: Date.parse('0001-01-01T00:00:00Z'), max: Date.parse('9999-12-31T23:59:59Z') });
  await fc.assert(
    fc.asyncProperty(fc.array(time, { minLength: 1, maxLength: 50 }), async times => {
      const parameter = new ArrayParameter('timestamptz');
      for (const value of times) parameter.timestamptz(value);
      const { rows } = await database.databases.pool.query<{ ms: string }>(
        'select (extract(epoch from value) * 1000)::bigint::text as ms from unnest($1::timestamptz[]) with ordinality as read (value, n) order by n',
        [parameter.finish()],
      );
      expect(rows.map(row => Number(row.ms))).toEqual(times);
    }),
    { numRuns: 30 },
  );
});

it('hands over any well-formed text and JSON, also when its memory has to grow or is used again', async () => {
  const text = new ArrayParameter('text');
  const jsonb = new ArrayParameter('jsonb');
  const json = new ArrayParameter('json');
  const word = fc.string({ unit: 'binary', maxLength: 2000 }).map(value => value.replaceAll('\0', '').toWellFormed());
  await fc.assert(
    fc.asyncProperty(fc.array(orNull(word), { maxLength: 100 }), async words => {
      for (const parameter of [text, jsonb, json]) parameter.clear();
      for (const value of words) {
        text.text(value);
        jsonb.jsonb(value && { value });
        json.json(value && { value });
      }
      const objects = words.map(value => value && { value });
      const parsed = (values: (string | null)[]) => values.map(value => value && JSON.parse(value));
      expect(await asPostgresSees('text', text)).toEqual(words);
      expect(parsed(await asPostgresSees('jsonb', jsonb))).toEqual(objects);
      expect(parsed(await asPostgresSees('json', json))).toEqual(objects);
    }),
    { numRuns: 30 },
  );
});
