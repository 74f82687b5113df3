import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunningProcess {
  readonly pid: number;
  readonly command: string;
}

/** What the product's processes get of a test's environment: none of its settings, but what Node keeps of the source. */
export const INHERITED = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** Processes whose command line contains this text; zombies have no command line. Reads /proc, so Linux only. */
export function processesWith(text: string): RunningProcess[] {
  return readdirSync('/proc').flatMap(entry => {
    const pid = Number(entry);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return command.includes(text) ? [{ pid, command }] : [];
    } catch {
      return [];
    }
  });
}

/** The fields of `/proc/PID/stat` from the state on; throws for a process that has ended. Linux only. */
export function statOf(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name is in parentheses and may contain anything.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Process IDs. Reads /proc, so Linux only. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap(entry => {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) return [];
    try {
      return Number(statOf(pid)[1]) === parent ? [pid] : [];
    } catch {
      return [];
    }
  });
}

/** Waits for a condition; returns whether it became true. */
export async function eventually(condition: () => boolean | Promise<boolean>, withinMs = 10_000): Promise<boolean> {
  for (const until = Date.now() + withinMs; Date.now() < until; await sleep(25)) {
    if (await condition()) return true;
  }
  return condition();
}
