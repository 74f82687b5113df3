import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveMapData } from './map-data.ts';

let folder: string;
let fastify: FastifyInstance;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'milepost-map-'));
  await writeFile(join(folder, 'tiles.pmtiles'), Buffer.from(Array.from({ length: 1000 }, (_, i) => i % 256)));
  await writeFile(join(folder, 'notes.txt'), 'no map');
  fastify = Fastify();
  serveMapData(fastify, folder);
  url = await fastify.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await fastify.close();
  rmSync(folder, { recursive: true, force: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });

it('serves byte ranges with a strong ETag and no compression', async () => {
  const response = await get('/map/tiles.pmtiles', { range: 'bytes=256-259', 'accept-encoding': 'br, gzip' });
  expect(response.status).toBe(206);
  expect(response.headers.get('content-range')).toBe('bytes 256-259/1000');
  expect(response.headers.get('content-encoding')).toBeNull();
  expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/);
  expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 1, 2, 3]);
});

it('answers 304 for a cached file, 416 after the end, and the whole file if it has changed', async () => {
  const etag = (await get('/map/tiles.pmtiles')).headers.get('etag') ?? '';
  expect((await get('/map/tiles.pmtiles', { 'if-none-match': etag })).status).toBe(304);
  const behind = await get('/map/tiles.pmtiles', { range: 'bytes=1000-' });
  expect([behind.status, behind.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
  expect((await get('/map/tiles.pmtiles', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
  expect((await get('/map/tiles.pmtiles', { range: 'bytes=0-1', 'if-range': '"other"' })).status).toBe(200);
  await writeFile(join(folder, 'tiles.pmtiles'), 'a new map');
  const changed = await get('/map/tiles.pmtiles', { range: 'bytes=0-1', 'if-range': etag });
  expect([changed.status, await changed.text()]).toEqual([200, 'a new map']);
});

it('serves the map’s files and nothing else', async () => {
  for (const path of ['/map/notes.txt', '/map/other.pmtiles', '/map/..%2fpackage.json', '/map/']) {
    expect([path, (await get(path)).status]).not.toEqual([path, 200]);
  }
});
