import { finished } from 'node:stream/promises';
import { Client } from 'pg';
import { from } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { CopyRows } from './copy-rows.ts';

let database: TestDatabase;
let client: Client;
beforeAll(async () => {
  database = await testDatabase();
  client = new Client(database.url);
  await client.connect();
  await client.query('create table copied (n int4, word text, at timestamptz, ratio float4, yes bool, data jsonb)');
});
afterAll(async () => {
  await client.end();
  await database.close();
});

async function copy(rows: CopyRows): Promise<void> {
  const stream = client.query(from('copy copied from stdin (format binary)'));
  stream.end(rows.finish());
  await finished(stream);
}

it('writes rows that PostgreSQL reads as they are, nulls among them, again and again', async () => {
  const rows = new CopyRows(6);
  for (let batch = 0; batch < 3; batch++) {
    rows.clear();
    for (let n = 0; n < 1000; n++) {
      rows.row();
      rows.int4(batch * 1000 + n);
      rows.text(n % 2 ? null : `word ${n} – é`);
      rows.timestamptz(n * 1000);
      rows.float4(n % 3 ? n / 4 : null);
      rows.bool(n % 5 ? n % 5 > 2 : null);
      rows.jsonb(n % 7 ? { n } : null);
    }
    await copy(rows);
  }
  const { rows: read } = await client.query('select * from copied order by n');
  expect(read).toEqual(
    Array.from({ length: 3000 }, (_, i) => {
      const n = i % 1000;
      return {
        n: i,
        word: n % 2 ? null : `word ${n} – é`,
        at: new Date(n * 1000),
        ratio: n % 3 ? n / 4 : null,
        yes: n % 5 ? n % 5 > 2 : null,
        data: n % 7 ? { n } : null,
      };
    }),
  );
});
