import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { testContext } from '../../../testing/context.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { makeScratchFolder, removeScratchFolder } from '../../../testing/scratch.ts';
import { withoutJobs } from '../../../testing/transfers.ts';
import { openFiles } from '../documents/files.ts';
import { openImports } from './imports.ts';
import { IMPORT_LIMIT, store } from './spool.ts';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  dataDir = makeScratchFolder();
  await mkdir(join(dataDir, 'uploads'));
  await upload('left-behind', 25);
  await upload('under-way', 23);
});
afterEach(() => removeScratchFolder(dataDir));

async function upload(name: string, hoursAgo: number): Promise<void> {
  const path = join(dataDir, 'uploads', name);
  await writeFile(path, 'half of a file');
  const changed = new Date(Date.now() - hoursAgo * HOUR_MS);
  await utimes(path, changed, changed);
}

const uploads = () => readdir(join(dataDir, 'uploads'));

function startServer({ isShared }: { readonly isShared: boolean }) {
  const context = withoutJobs(testContext(database.databases, { dataDir }));
  Object.assign(context.bus, { isShared });
  return openImports(context, openFiles(dataDir), { driving: {}, live: {} } as never);
}

it('of several servers, none removes what another is taking in; what a killed one left goes after a day', async () => {
  const imports = startServer({ isShared: true });
  await imports.sweep();
  expect(await uploads()).toEqual(['under-way']);
  await imports.sweep(Date.now() + 2 * HOUR_MS);
  expect(await uploads()).toEqual([]);
});

it('the only server removes at start what it left when it was killed', async () => {
  startServer({ isShared: false });
  await vi.waitFor(async () => expect(await uploads()).toEqual([]));
});

it('refuses before it comes what the disk has no room for, with both figures [N13]', async () => {
  const path = join(dataDir, 'uploads', 'large');
  const roomIn = async () => 1;
  for (const [length, needed] of [
    [1000, 2000],
    [null, 2],
  ] as const) {
    const body = Readable.from([Buffer.alloc(1000)]);
    await expect(store({ body, length }, path, { roomIn, takes: 2 })).rejects.toMatchObject({
      code: 'no-room',
      params: { neededBytes: needed, freeBytes: 1 },
    });
    expect(body.readableDidRead).toBe(false);
  }
  const tooLarge = store({ body: Readable.from([]), length: IMPORT_LIMIT + 1 }, path);
  await expect(tooLarge).rejects.toMatchObject({ code: 'payload-too-large', params: { limitBytes: IMPORT_LIMIT } });
  expect(await uploads()).not.toContain('large');
});

it('stops an upload whose room others take meanwhile, and leaves nothing of it [N13]', async () => {
  const path = join(dataDir, 'uploads', 'large');
  let free = 1024 ** 3;
  const piece = Buffer.alloc(1024 * 1024);
  async function* pieces() {
    for (let n = 0; n < 70; n++) {
      if (n === 60) free = 0;
      yield piece;
    }
  }
  const stopped = store({ body: Readable.from(pieces()), length: 70 * piece.length }, path, {
    roomIn: async () => free,
  });
  await expect(stopped).rejects.toMatchObject({ code: 'no-room', params: { freeBytes: 0 } });
  expect(await uploads()).not.toContain('large');
});
