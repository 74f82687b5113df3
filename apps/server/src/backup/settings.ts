import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';
import { type BackupKey, keyText, parseKey } from './key.ts';
import { placeSchema } from './place.ts';

/**
 * Settings and state of the backup are files in `DATA_DIR/backup`, not rows: they must be there when the database is
 * not, and a restored database must not bring back what it believed then.
 */
const settingsSchema = z.object({
  place: placeSchema,
  /** From one copy of the database to the next; the journal is kept all the time. */
  everyHours: z.int().min(1).max(168),
  keepDays: z.int().min(1).max(3650),
  withMaps: z.boolean(),
  /** Restores the newest backup on trial this often; 0: never. */
  verifyDays: z.int().min(0).max(365),
  /** Set by a restore: the copy must not write where the original may still do so. */
  pausedSince: z.number().nullable(),
});
export type BackupSettings = z.infer<typeof settingsSchema>;

export const DEFAULTS = { everyHours: 24, keepDays: 14, withMaps: false, verifyDays: 7, pausedSince: null } as const;

const failureSchema = z.object({ atMs: z.number(), message: z.string() });
const stateSchema = z.object({
  /** Of the place that the rest is about. */
  place: z.string().nullable(),
  line: z.string().nullable(),
  /** The newest copy of the database, or of the files where the database is elsewhere. */
  last: z.object({ atMs: z.number(), tookMs: z.number(), bytes: z.number(), writtenBytes: z.number() }).nullable(),
  /** Everything until then is in the store. */
  throughMs: z.number().nullable(),
  storedBytes: z.number().nullable(),
  fromMs: z.number().nullable(),
  verified: z
    .object({ atMs: z.number(), tookMs: z.number(), throughMs: z.number(), tables: z.number(), rows: z.number() })
    .nullable(),
  /** Why the last try of each failed; null once it succeeded. */
  failures: z.object({
    copy: failureSchema.nullable(),
    journal: failureSchema.nullable(),
    verify: failureSchema.nullable(),
  }),
  /** The trouble that the owners were last written to about. */
  warned: z.object({ trouble: z.string(), atMs: z.number() }).nullable(),
  /** When the settings were made: until the first copy is due. */
  sinceMs: z.number().nullable(),
  /** What goes on, at whichever server; over if that was not seen for a while. */
  running: z
    .object({ what: z.enum(['copy', 'verify']), sinceMs: z.number(), seenMs: z.number() })
    .nullable()
    .default(null),
});
export type BackupState = z.infer<typeof stateSchema>;

export const NO_STATE: BackupState = {
  place: null,
  line: null,
  last: null,
  throughMs: null,
  storedBytes: null,
  fromMs: null,
  verified: null,
  failures: { copy: null, journal: null, verify: null },
  warned: null,
  sinceMs: null,
  running: null,
};

export const backupFolder = (dataDir: string): string => join(dataDir, 'backup');
const fileOf = (dataDir: string, name: string): string => join(backupFolder(dataDir), name);

export async function readSettings(dataDir: string): Promise<BackupSettings | null> {
  const text = await readText(fileOf(dataDir, 'settings.json'));
  if (text === null) return null;
  const parsed = settingsSchema.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new BackupError(`${fileOf(dataDir, 'settings.json')} can't be read. Set up the backup again.`);
}

export const writeSettings = (dataDir: string, settings: BackupSettings): Promise<void> =>
  writePrivate(dataDir, 'settings.json', `${JSON.stringify(settings, null, 2)}\n`);

export const removeSettings = (dataDir: string): Promise<void> => rm(fileOf(dataDir, 'settings.json'), { force: true });

export async function readState(dataDir: string): Promise<BackupState> {
  const parsed = stateSchema.safeParse(jsonOf((await readText(fileOf(dataDir, 'state.json'))) ?? ''));
  return parsed.success ? parsed.data : NO_STATE;
}

const changing = new Map<string, Promise<unknown>>();

/** Reads, changes and writes the state, one change after the other. */
export function changeState(dataDir: string, next: (state: BackupState) => BackupState): Promise<BackupState> {
  const turn = (changing.get(dataDir) ?? Promise.resolve()).then(async () => {
    const state = next(await readState(dataDir));
    await writeState(dataDir, state);
    return state;
  });
  changing.set(
    dataDir,
    turn.catch(() => {}),
  );
  return turn;
}

const writeState = (dataDir: string, state: BackupState): Promise<void> =>
  writePrivate(dataDir, 'state.json', `${JSON.stringify(state)}\n`);

export async function readKey(dataDir: string): Promise<BackupKey | null> {
  const text = await readText(fileOf(dataDir, 'key'));
  return text === null ? null : parseKey(text);
}

export const writeKey = (dataDir: string, key: BackupKey): Promise<void> =>
  writePrivate(dataDir, 'key', `${keyText(key)}\n`);

/** What a program beside the server asks of it: it looks every few seconds. */
export const ASKED = ['copy', 'verify'] as const;
export type Asked = (typeof ASKED)[number];

export const ask = (dataDir: string, what: Asked): Promise<void> => writePrivate(dataDir, 'asked', what);

export async function takeAsked(dataDir: string): Promise<Asked | null> {
  const text = await readText(fileOf(dataDir, 'asked'));
  if (text === null) return null;
  await rm(fileOf(dataDir, 'asked'), { force: true });
  return ASKED.find(each => each === text) ?? null;
}

/** All of it or nothing, readable only by the owner of the data folder, no matter who writes it. */
async function writePrivate(dataDir: string, name: string, text: string): Promise<void> {
  const folder = backupFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, name);
  await writeFile(`${path}.part`, text, { mode: 0o600 });
  if (process.getuid?.() === 0) {
    const { uid, gid } = await stat(dataDir);
    await chown(folder, uid, gid);
    await chown(`${path}.part`, uid, gid);
  }
  await rename(`${path}.part`, path);
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
