import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { makeScratchFolder, removeScratchFolder } from '../../testing/scratch.ts';
import { StartupError } from '../lifecycle/startup-error.ts';
import { claimSharedFolder } from './shared-folder.ts';

let database: TestDatabase;
let folders: readonly string[];
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  folders = [makeScratchFolder(), makeScratchFolder()];
  await database.databases.system.deleteFrom('shared_folder').execute();
});
afterEach(() => {
  for (const folder of folders) removeScratchFolder(folder);
});
afterAll(() => database.close());

const claim = (folder: string | undefined, waitMs = 0) =>
  claimSharedFolder(database.databases, folder ?? '', waitMs).then(
    () => 'starts',
    (error: unknown) => (error instanceof StartupError ? error.message : error),
  );

it('servers on one folder start, at once or one after the other', async () => {
  const [shared] = folders;
  const both = [1, 2].map(() => claim(shared, 20_000));
  expect(await Promise.all(both)).toEqual(['starts', 'starts']);
  expect(await claim(shared)).toBe('starts');
});

it('a server on another folder is told what to set', async () => {
  const [shared, own] = folders;
  await claim(shared);
  expect(await claim(own)).toContain(`${own} is not that folder. Set DATA_DIR to the shared folder on every server.`);
  await writeFile(join(own ?? '', 'shared-folder'), 'another\n');
  expect(await claim(own)).toContain('belongs to another installation');
});

it('the right folder without its marker starts when the file is written that the sentence asks for', async () => {
  const [shared, restored] = folders;
  await claim(shared);
  const id = (await readFile(join(shared ?? '', 'shared-folder'), 'utf8')).trim();
  expect(await claim(restored)).toContain(`write ${id} into the file`);
  await writeFile(join(restored ?? '', 'shared-folder'), id);
  expect(await claim(restored)).toBe('starts');
});
