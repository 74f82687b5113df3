import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../lifecycle/claim.ts';
import { StartupError } from '../../lifecycle/startup-error.ts';

/** Reads `postmaster.pid`, which PostgreSQL writes: pid, data directory, start time, port … one per line. */
export function runningPostmaster(cluster: string): { pid: number; port: number } | null {
  try {
    const [pid, , , port] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n').map(Number);
    return pid && pid > 1 && isAlive(pid) && commandOf(pid).includes(cluster) ? { pid, port: port ?? 0 } : null;
  } catch {
    return null;
  }
}

/**
 * Stops a database that a killed server left running. The caller holds the folder's claim, so the database is not in
 * use. It is stopped rather than taken over, because a database always runs as its server's child, with that server's
 * settings.
 */
export async function stopLeftover(cluster: string): Promise<boolean> {
  const leftover = runningPostmaster(cluster);
  if (!leftover) {
    // PostgreSQL would trust a pid file even if its process is gone or another program has the pid now.
    await rm(join(cluster, 'postmaster.pid'), { force: true });
    return false;
  }
  for (const [signal, timeoutMs] of [
    ['SIGINT', 20_000],
    ['SIGQUIT', 10_000],
  ] as const) {
    try {
      process.kill(leftover.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') break;
    }
    for (const until = Date.now() + timeoutMs; Date.now() < until; await sleep(20)) {
      if (!isAlive(leftover.pid)) return true;
    }
  }
  throw new StartupError(
    `A database left by an earlier start (process ${leftover.pid}) uses ${cluster} and does not end. End that process, then start again.`,
  );
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  }
}
