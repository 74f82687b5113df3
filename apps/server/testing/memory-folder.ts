import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive } from '../src/lifecycle/claim.ts';
import { makeScratchFolder } from './scratch.ts';

/** A file system in memory on Linux; containers often have only a small one. */
const MEMORY = '/dev/shm';
const NAME = /^milepost-test-(\d+)-/;
/** A run's databases take 150 MB, their journal at most 1 GB. */
const NEEDED_BYTES = 2 * 2 ** 30;

/**
 * A folder in memory if there is enough of it, otherwise a scratch folder. For many small files that nobody needs after
 * the run: making and deleting them on a disk costs nine times as much processor time. `removeScratchFolder` removes it.
 */
export function makeMemoryFolder(): string {
  if (!hasRoom()) return makeScratchFolder();
  removeThoseOfKilledRuns();
  const folder = mkdtempSync(join(MEMORY, `milepost-test-${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** What a killed run has left would otherwise take memory until the machine restarts. */
function removeThoseOfKilledRuns(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
