import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { DataImport } from '@milepost/contract';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { listed } from '../../../testing/transfers.ts';
import { roomIn } from './room.ts';

const GIB = 1024 ** 3;
const ROWS = 2200;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
});
afterAll(() => server.close());

/** More than 2 GiB, most of it rows that stay in the file. */
function* lines(): Generator<string> {
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  yield line({ format: 'milepost-account', version: 1 });
  yield line({ table: 'folder', row: { id: 1, parent_id: null, name: 'North' } });
  const large = line({ table: 'session', row: { is: 'x'.repeat(1024 ** 2) } });
  for (let n = 0; n < ROWS; n++) yield large;
  yield line({ end: { folder: 1, session: ROWS } });
}

it('a file of more than 2 GiB is uploaded, checked and imported [N13]', {
  tags: ['long'],
  timeout: 600_000,
}, async ctx => {
  const { dataDir } = server.context.config;
  ctx.skip((await roomIn(dataDir)) < 5 * GIB, 'It needs 5 GiB on the disk');
  const owner = await signedIn(server);
  const answer = await fetch(`${server.url}/api/v1/data/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/x-ndjson' },
    body: Readable.toWeb(Readable.from(lines())) as ReadableStream,
    duplex: 'half',
  });
  const started = (await answer.json()) as DataImport;
  expect(started).toMatchObject({ phase: 'check', rows: null });
  expect(started.total).toBeGreaterThan(2 * GIB);
  const seen = new Set<string>();
  const isOver = async () => {
    const [now] = await listed(server, owner, 'import');
    if (now && now.done > 0) seen.add(now.phase);
    expect(now?.endedAt).toEqual(expect.any(String));
  };
  await vi.waitFor(isOver, { timeout: 500_000, interval: 200 });
  expect(await listed(server, owner, 'import')).toMatchObject([
    { state: 'done', phase: 'import', total: ROWS + 1, rows: { folder: 1 } },
  ]);
  expect(seen).toEqual(new Set(['check', 'import']));
  expect(await readdir(join(dataDir, 'imports'))).toEqual([]);
});
