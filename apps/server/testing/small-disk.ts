import { execFile, execFileSync } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk in memory that can be filled up; requires root and permission to mount. */
export interface SmallDisk {
  readonly folder: string;
  /** From now on nothing more fits. */
  fill(): Promise<void>;
  free(): Promise<void>;
  unmount(): void;
}

/** While it is being filled, others write, and what they have may then not fit. */
const TRIES = 50;

/** The disk, or the reason why there can't be one. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | { readonly reason: string } {
  if (process.getuid?.() !== 0) return { reason: 'only root may mount a small disk' };
  const size = `size=${megabytes}m`;
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `${size},mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    return { reason: `a small disk can not be mounted here (${(error as Error).message.split('\n')[0]})` };
  }
  const resize = (to: string) => run('mount', ['-o', `remount,${to}`, folder]);
  return {
    folder,
    fill: async () => {
      for (let tries = 1; ; tries++) {
        const { bfree, blocks, bsize } = await statfs(folder);
        try {
          await resize(`size=${(Number(blocks) - Number(bfree)) * Number(bsize)}`);
          return;
        } catch (error) {
          if (tries === TRIES) throw error;
        }
      }
    },
    free: async () => void (await resize(size)),
    unmount: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
    },
  };
}
