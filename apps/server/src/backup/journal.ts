import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { BackupError } from './backup-error.ts';
import { segmentName } from './catalog.ts';
import { nextSegment, SEGMENT } from './segments.ts';
import type { Vault } from './vault.ts';

/** The database puts finished files of its journal there as long as the folder exists (`archive_command`). */
export interface Spool {
  readonly folder: string;
  /** The database's own folder, whose owner writes the spool. */
  readonly cluster: string;
}

/** Below this the spool is given up: taking in positions matters more than an unbroken journal. */
const LEAST_FREE_BYTES = 1024 ** 3;
const LEAST_FREE_SHARE = 0.02;
const ARCHIVED_WITHIN_MS = 60_000;

/** Asks the database to put its journal there from now on. What an earlier line left is removed. */
export async function openSpool({ folder, cluster }: Spool): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { mode: 0o700 });
  const { uid, gid } = await stat(cluster);
  if (process.getuid?.() === 0) await chown(folder, uid, gid);
}

/** The database then keeps no more of its journal than it needs itself. */
export const closeSpool = ({ folder }: Spool): Promise<void> => rm(folder, { recursive: true, force: true });

/** Takes a line's journal from the spool to the store, in order. */
export class Journal {
  readonly #spool: Spool;
  readonly #line: string;
  #last: string | null;

  /** `last` is the newest segment of this line in the store. */
  constructor(spool: Spool, line: string, last: string | null) {
    this.#spool = spool;
    this.#line = line;
    this.#last = last;
  }

  get last(): string | null {
    return this.#last;
  }

  /** Ships what is finished. `marked`: with this segment, everything committed at that time is in the store. */
  async ship(
    vault: Vault,
    marked: { readonly segment: string; readonly throughMs: number } | null = null,
  ): Promise<void> {
    if (!existsSync(this.#spool.folder)) throw new JournalGap('The journal is not being kept.');
    const names = (await readdir(this.#spool.folder)).sort();
    for (const name of names) {
      const path = join(this.#spool.folder, name);
      if (SEGMENT.test(name)) {
        if (this.#last !== null && name > nextSegment(this.#last)) {
          throw new JournalGap(`The journal has a gap before ${name}.`);
        }
        // One that was shipped before the server was killed may come once more, and is the same.
        if (this.#last === null || name > this.#last) {
          const throughMs = marked?.segment === name ? marked.throughMs : 0;
          await vault.put(segmentName(this.#line, name, throughMs), await readFile(path));
          this.#last = name;
        }
        await rm(path);
      } else if (!name.endsWith('.part')) {
        await rm(path, { force: true });
      }
    }
  }

  /**
   * Finishes the segment in work and ships everything up to it. Returns the time until which everything that was
   * committed is then in the store: recovery finds a later commit behind it, so it can stop at any moment before.
   */
  async shipAll(vault: Vault, client: Client): Promise<number> {
    const { rows: times } = await client.query<{ now: Date }>('select clock_timestamp() as now');
    const throughMs = times[0]?.now.getTime() ?? 0;
    // Its commit is the later one.
    await sleep(2);
    await client.query('select pg_current_xact_id()');
    const { rows } = await client.query<{ segment: string }>('select pg_walfile_name(pg_switch_wal()) as segment');
    const segment = rows[0]?.segment ?? '';
    for (const until = Date.now() + ARCHIVED_WITHIN_MS; !this.#hasArrived(segment); await sleep(50)) {
      if (!existsSync(this.#spool.folder)) throw new JournalGap('The journal is not being kept.');
      if (Date.now() > until) throw new BackupError('The database does not hand over its journal. Is its disk full?');
    }
    await this.ship(vault, { segment, throughMs });
    return throughMs;
  }

  #hasArrived(segment: string): boolean {
    return existsSync(join(this.#spool.folder, segment));
  }
}

/** The line is over: a new one begins with a new copy of the database. */
export class JournalGap extends BackupError {}

/** Gives up a spool that fills the disk. Returns whether it did. */
export async function freeFullDisk(spool: Spool): Promise<boolean> {
  const disk = await statfs(spool.folder).catch(() => null);
  if (!disk) return false;
  const free = disk.bavail * disk.bsize;
  const least = Math.min(LEAST_FREE_BYTES, disk.blocks * disk.bsize * LEAST_FREE_SHARE);
  if (free >= least || !(await readdir(spool.folder)).some(name => SEGMENT.test(name))) return false;
  await closeSpool(spool);
  return true;
}
