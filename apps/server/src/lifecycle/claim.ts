import { readFileSync } from 'node:fs';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartupError } from './startup-error.ts';

const FILE = 'server.pid';

/** The right to work on a data folder; one process has it at a time. */
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

/** Claims a folder for this process. What a killed process left is recognised by its pid and start time. */
export async function claimFolder(folder: string): Promise<Claim> {
  const path = join(folder, FILE);
  const mine = `${path}.${process.pid}`;
  // Linked, not written, into place: nobody ever reads half of it.
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

/** False when something is there already. */
async function place(file: string, path: string): Promise<boolean> {
  try {
    await link(file, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
}

/** Removes a dead process's claim. Another process may do so at this moment and claim the folder: its claim is put back. */
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
 * When a process started, in clock ticks since boot (proc(5), field 22 of `stat`): tells it from a later one with the
 * same pid, as in a restarted container. `-` where there is no /proc.
 */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field, the name, may hold blanks and parentheses; the third begins after its last parenthesis.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '-';
  } catch {
    return '-';
  }
}
