import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { freePort } from '../db/embedded/free-port.ts';
import type { Place } from '../db/embedded/place.ts';
import { type Postmaster, runPostmaster } from '../db/embedded/postmaster.ts';
import { BackupError } from './backup-error.ts';
import { type BaseManifest, readBase } from './base.ts';
import { type Catalog, chainOf, type Segment, spansOf, type Window, windowsOf } from './catalog.ts';
import { unpackFiles } from './pack.ts';
import type { Vault } from './vault.ts';

/** The window that reaches a moment with the least to replay; the newest moment of all if none is asked for. */
export function chooseWindow(
  catalog: Catalog,
  toMs: number | null,
): { readonly window: Window; readonly toMs: number } {
  const windows = windowsOf(catalog);
  if (windows.length === 0) throw new BackupError('This backup has no whole copy of the database yet.');
  const wanted = toMs ?? Math.max(...windows.map(window => window.toMs));
  const window = windows.findLast(({ fromMs, toMs: end }) => fromMs <= wanted && wanted <= end);
  if (window) return { window, toMs: wanted };
  const spans = spansOf(windows).map(span => `from ${iso(span.fromMs)} to ${iso(span.toMs)}`);
  throw new BackupError(`The backup does not reach ${iso(wanted)}. It reaches ${spans.join(', and ')}.`);
}

const iso = (ms: number): string => new Date(ms).toISOString();

export interface Recovery {
  readonly vault: Vault;
  readonly catalog: Catalog;
  readonly window: Window;
  readonly toMs: number;
  /** Where the database is put; nothing may be there. */
  readonly place: Place;
  readonly log: Logger;
  readonly isGentle?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
}

export interface Recovered {
  readonly manifest: BaseManifest;
  readonly postmaster: Postmaster;
  readonly port: number;
}

/** Puts a database back as it was at a moment, and starts it. Stopped, it is a database like any other. */
export async function recoverDatabase(recovery: Recovery): Promise<Recovered> {
  const { vault, catalog, window, toMs, place, log, signal, onBytes } = recovery;
  const manifest = await readBase(vault, window.base.name);
  const ours = place.binaries.version.split('.')[0];
  if (manifest.postgres !== ours) {
    throw new BackupError(
      `The copy was made by PostgreSQL ${manifest.postgres} (Milepost ${manifest.milepost}), and this Milepost brings ${ours}. Restore with that version, then upgrade.`,
    );
  }
  await unpackFiles(vault, manifest, place.cluster, { ...(signal && { signal }), ...(onBytes && { onBytes }) });
  await chmod(place.cluster, 0o700);
  await writeFile(join(place.cluster, 'backup_label'), manifest.label, { mode: 0o600 });
  await writeFile(join(place.cluster, 'recovery.signal'), '', { mode: 0o600 });
  const inbox = `${place.cluster}-journal`;
  await rm(inbox, { recursive: true, force: true });
  await mkdir(inbox, { mode: 0o700 });
  giveTo(place, place.cluster, inbox);

  const feeding = new AbortController();
  const feeder = feed({ vault, inbox, place, chain: chainOf(catalog, window.base), stop: feeding.signal });
  const port = await freePort();
  const postmaster = runPostmaster(
    place,
    port,
    {
      ...recovery.settings,
      archive_mode: 'off',
      restore_command: restoreCommand(inbox),
      recovery_target_time: new Date(toMs).toISOString().replace('T', ' ').replace('Z', '+00'),
      recovery_target_action: 'promote',
      recovery_target_timeline: 'current',
      hot_standby: 'off',
      // It would ask for files of the journal long before it needs them.
      recovery_prefetch: 'off',
    },
    log,
    { isGentle: recovery.isGentle ?? false },
  );
  /** Before the database is stopped: its command that waits for a file ends with the folder, and would hold it up. */
  const letGo = async (): Promise<void> => {
    feeding.abort();
    await feeder.ended;
    await rm(inbox, { recursive: true, force: true });
  };
  const stop = (): void => void letGo().then(() => postmaster.stop());
  signal?.addEventListener('abort', stop);
  try {
    // It accepts connections only once it has reached the moment.
    const reason = await Promise.race([postmaster.started, feeder.failed]);
    if (reason !== null) {
      await letGo();
      await postmaster.stop();
      signal?.throwIfAborted();
      throw reason instanceof Error ? reason : new BackupError(`The database could not be recovered: ${reason}.`);
    }
    return { manifest, postmaster, port };
  } finally {
    signal?.removeEventListener('abort', stop);
    await letGo();
  }
}

function giveTo(place: Place, ...paths: readonly string[]): void {
  if (!place.user) return;
  const result = spawnSync('chown', ['-R', `${place.user.uid}:${place.user.gid}`, ...paths]);
  if (result.status !== 0) throw new BackupError(`The database's user could not be given ${paths[0]}.`);
}

/** How long a file of the journal is waited for; a store may be slow, and this program may be gone. */
const WAIT_SECONDS = 900;

/** Asks for a file by writing its name, then waits until it is there, or a note that there is none. */
function restoreCommand(inbox: string): string {
  const at = `'${inbox.replaceAll("'", `'\\''`)}'`.replaceAll('%', '%%');
  return [
    'case "%f" in *.history|*.backup|*.partial) exit 1;; esac',
    `echo "%f" > ${at}/asked.part && mv ${at}/asked.part ${at}/asked`,
    'i=0',
    `until test -e ${at}/%f; do i=$((i+1)); test -d ${at} || exit 1; test -e ${at}/no-%f && exit 1; test $i -gt ${WAIT_SECONDS * 50} && exit 1; sleep 0.02; done`,
    `cp ${at}/%f "%p"`,
  ].join('; ');
}

interface Feeding {
  readonly vault: Vault;
  readonly inbox: string;
  readonly place: Place;
  readonly chain: readonly Segment[];
  readonly stop: AbortSignal;
}

const AHEAD = 6;

/** Brings the database the files of the journal it asks for, some ahead; only few are on the disk at a time. */
function feed({ vault, inbox, place, chain, stop }: Feeding) {
  const { promise: failed, resolve: fail } = Promise.withResolvers<Error>();
  const numberOf = new Map(chain.map(({ segment }, number) => [segment, number]));
  const bring = async (name: string, bytes: Uint8Array): Promise<void> => {
    const path = join(inbox, name);
    await writeFile(`${path}.part`, bytes, { mode: 0o600 });
    if (place.user) await chown(`${path}.part`, place.user.uid, place.user.gid);
    await rename(`${path}.part`, path);
  };
  const run = async (): Promise<void> => {
    while (!stop.aborted) {
      const asked = (await readFile(join(inbox, 'asked'), 'utf8').catch(() => '')).trim();
      const at = numberOf.get(asked);
      if (asked !== '' && at === undefined) await bring(`no-${asked}`, Buffer.alloc(0));
      for (let number = at ?? 0; number < (at ?? 0) + AHEAD && !stop.aborted; number++) {
        const segment = chain[number];
        if (!segment || existsSync(join(inbox, segment.segment))) continue;
        try {
          const bytes = await vault.get(segment.name);
          if (!bytes) throw new BackupError(`A part of the backup in ${vault.place} is missing (${segment.name}).`);
          await bring(segment.segment, bytes);
        } catch (error) {
          // One that is brought ahead may not be needed.
          if (number === at) throw error;
          break;
        }
      }
      for (const name of await readdir(inbox)) {
        const number = numberOf.get(name);
        if (number !== undefined && at !== undefined && number < at - 1) await rm(join(inbox, name), { force: true });
      }
      await sleep(10, undefined, { signal: stop }).catch(() => {});
    }
  };
  const ended = run().catch((error: unknown) => fail(error as Error));
  return { ended, failed };
}
