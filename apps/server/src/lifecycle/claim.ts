import { readFileSync } from 'node:fs';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from './startup-error.ts';

const FILE = 'server.pid';

/** A claim on a data folder; only one process can hold it. */
export interface Claim {
  release(): Promise<void>;
}

export class FolderInUse extends StartupError {
  readonly pid: number;
  constructor(folder: string, pid: number) {
    super(
      `Another Milepost (process ${pid}) is running on the data folder ${folder}. Stop it, or set DATA_DIR to another folder.`,
    );
    this.pid = pid;
  }
}

/** Claims a folder for this process. A killed process's claim is recognized by its pid and start time. */
export async function claimFolder(folder: string): Promise<Claim> {
  const path = join(folder, FILE);
  const mine = `${path}.${process.pid}`;
  // Linked into place, not written, so that nobody reads half of it.
  await writeFile(mine, `${process.pid} ${startTime(process.pid)}\n`);
  try {
    while (!(await place(mine, path))) {
      const holder = await holderOf(path);
      if (holder !== null) throw new FolderInUse(folder, holder);
      await setAside(folder, path);
    }
  } finally {
    await unlink(mine);
  }
  return { release: () => unlink(path).catch(() => {}) };
}

/** False if the file exists already. */
async function place(file: string, path: string): Promise<boolean> {
  try {
    await link(file, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/**
 * Removes a dead process's claim. If another process has just done so and claimed the folder, its claim is restored.
 */
async function setAside(folder: string, path: string): Promise<void> {
  const aside = `${path}.dead-${process.pid}`;
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  const holder = await holderOf(aside);
  if (holder !== null) await place(aside, path);
  await unlink(aside);
  if (holder !== null) throw new FolderInUse(folder, holder);
}

async function holderOf(path: string): Promise<number | null> {
  const [pid, started] = (await readFile(path, 'utf8').catch(() => '')).trim().split(' ');
  const holder = Number(pid);
  if (!Number.isInteger(holder) || holder <= 0 || !isAlive(holder)) return null;
  return startTime(holder) === started ? holder : null;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * When a process started, in clock ticks since boot (proc(5), field 22 of `stat`). Distinguishes it from a later
 * process with the same pid, as in a restarted container. `-` without /proc.
 */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, can contain spaces and parentheses; the third starts after its last parenthesis.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
  } catch {
    return '-';
  }
}
