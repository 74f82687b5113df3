import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../lifecycle/startup-error.ts';
import type { Databases } from './database.ts';

const MARKER = 'shared-folder';
/** The server that writes the row writes the marker right after it. */
const APPEARS_WITHIN_MS = 5000;
const LOOK_EVERY_MS = 200;

/**
 * Photos, documents, maps, exports and reports are files in DATA_DIR, which all servers of an installation share. The
 * first server writes an ID into the database and into its folder; the others start only on a folder that has this ID.
 */
export async function claimSharedFolder(
  { system }: Pick<Databases, 'system'>,
  dataDir: string,
  waitMs = APPEARS_WITHIN_MS,
): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const path = join(dataDir, MARKER);
  const id = randomUUID();
  const chosen = await system
    .insertInto('shared_folder')
    .values({ id })
    .onConflict(known => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (chosen) {
    // Moved into place, so that no server reads half of it.
    await writeFile(`${path}.${id}`, `${id}\n`, { mode: 0o600 });
    return rename(`${path}.${id}`, path);
  }
  const wanted = (await system.selectFrom('shared_folder').select('id').executeTakeFirstOrThrow()).id;
  for (const until = Date.now() + waitMs; ; await sleep(LOOK_EVERY_MS)) {
    const found = (await readFile(path, 'utf8').catch(() => '')).trim();
    if (found === wanted) return;
    if (Date.now() >= until) throw new StartupError(sentence(dataDir, found, wanted));
  }
}

const sentence = (dataDir: string, found: string, wanted: string): string =>
  `The servers of this installation share one folder for photos, documents and maps. ${dataDir} ${
    found === '' ? 'is not that folder' : 'belongs to another installation'
  }. Set DATA_DIR to the shared folder on every server. If this is the right folder, as after a restore, write ${wanted} into the file ${join(dataDir, MARKER)}.`;
