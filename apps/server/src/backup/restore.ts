import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { installedBinaries } from '../db/embedded/binaries.ts';
import { findPlace } from '../db/embedded/place.ts';
import { claimFolder } from '../lifecycle/claim.ts';
import { BackupError } from './backup-error.ts';
import { readCatalog } from './catalog.ts';
import { filesAt, readFiles } from './files.ts';
import type { BackupKey } from './key.ts';
import { unpackFiles } from './pack.ts';
import type { BackupPlace } from './place.ts';
import { chooseWindow, recoverDatabase } from './recover.ts';
import { DEFAULTS, readSettings, writeKey, writeSettings } from './settings.ts';
import type { Vault } from './vault.ts';

export interface RestoreOptions {
  readonly vault: Vault;
  readonly key: BackupKey;
  readonly backup: BackupPlace;
  readonly dataDir: string;
  /** Null: the newest moment. */
  readonly toMs: number | null;
  /** False where the database is one's own: then only the files come back. */
  readonly withDatabase: boolean;
  readonly log: Logger;
  readonly say?: (line: string) => void;
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Restored {
  readonly toMs: number;
  /** Where what was there before is now; null if the folder was empty. */
  readonly aside: string | null;
  readonly files: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** While it is being filled. Nothing that is there is touched before the rest is whole. */
const RESTORING = 'restoring';

/** Puts a data folder back as it was at a moment. What is in it now is moved aside, never deleted or overwritten. */
export async function restoreFolder(options: RestoreOptions): Promise<Restored> {
  const { vault, key, backup, dataDir, withDatabase, log, say = () => {} } = options;
  await mkdir(dataDir, { recursive: true });
  const claim = await claimFolder(dataDir);
  try {
    const catalog = await readCatalog(vault);
    const chosen = withDatabase ? chooseWindow(catalog, options.toMs) : null;
    const toMs = chosen?.toMs ?? options.toMs ?? Date.now();
    const [before, after] = [
      catalog.files.findLast(({ atMs }) => atMs <= toMs),
      catalog.files.find(({ atMs }) => atMs > toMs),
    ];
    const files = filesAt(
      before ? await readFiles(vault, before.name) : null,
      after ? await readFiles(vault, after.name) : null,
    );
    if (!files) throw new BackupError(`The backup in ${vault.place} has no files of ${new Date(toMs).toISOString()}.`);

    const unfinished = join(dataDir, RESTORING);
    await rm(unfinished, { recursive: true, force: true });
    say('Reading files…');
    await unpackFiles(vault, files, unfinished);
    const database = chosen && (await restoreDatabase(options, catalog, chosen));

    const aside = await moveAside(dataDir, database?.folder ?? dataDir);
    for (const name of await readdir(unfinished)) await rename(join(unfinished, name), join(dataDir, name));
    await rm(unfinished, { recursive: true });
    if (database) await rename(database.from, database.to);
    await writeKey(dataDir, key);
    // From here on, the original may still write there: this one begins only when it is told to.
    const settings = (await readSettings(dataDir)) ?? { ...DEFAULTS, place: backup };
    await writeSettings(dataDir, { ...settings, pausedSince: Date.now() });
    return { toMs, aside, files: files.files.length, environment: files.environment };
  } finally {
    await claim.release();
  }

  async function restoreDatabase(
    { settings }: RestoreOptions,
    catalog: Parameters<typeof chooseWindow>[0],
    { window, toMs }: ReturnType<typeof chooseWindow>,
  ) {
    const place = await findPlace(dataDir, installedBinaries());
    const from = join(place.folder, 'database-restoring');
    await rm(from, { recursive: true, force: true });
    say(`Reading the copy of the database of ${new Date(window.fromMs).toISOString()}…`);
    const recovered = await recoverDatabase({
      ...{ vault, catalog, window, toMs, log, place: { ...place, cluster: from } },
      ...(settings && { settings }),
    });
    say('The database has reached the moment.');
    await recovered.postmaster.stop();
    return { from, to: place.cluster, folder: place.folder };
  }
}

/** Renames everything that is there: on the same disk, so it costs neither time nor space. */
async function moveAside(dataDir: string, databaseFolder: string): Promise<string | null> {
  const name = `before-restore-${new Date().toISOString().replaceAll(':', '').slice(0, 17)}`;
  const keep = new Set([RESTORING, 'server.pid', 'database-restoring', 'database.location']);
  const found = (await readdir(dataDir)).filter(entry => !keep.has(entry) && !entry.startsWith('before-restore-'));
  const aside = join(dataDir, name);
  if (found.length > 0) {
    await mkdir(aside, { recursive: true, mode: 0o700 });
    for (const entry of found) await rename(join(dataDir, entry), join(aside, entry));
  }
  const database = join(databaseFolder, 'database');
  if (!existsSync(database)) return found.length > 0 ? aside : null;
  await mkdir(join(databaseFolder, name), { recursive: true });
  await rename(database, join(databaseFolder, name, 'database'));
  return found.length > 0 ? aside : join(databaseFolder, name);
}
