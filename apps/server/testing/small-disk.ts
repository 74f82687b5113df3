import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** A disk in memory that can be filled up; requires root and permission to mount. */
export interface SmallDisk {
  readonly folder: string;
  fill(): Promise<void>;
  free(): void;
  unmount(): void;
}

/** The disk, or the reason why there can't be one. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | { readonly reason: string } {
  if (process.getuid?.() !== 0) return { reason: 'only root may mount a small disk' };
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    return { reason: `a small disk can not be mounted here (${(error as Error).message.split('\n')[0]})` };
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: async () => {
      for (let n = 0; ; n++) {
        const { bavail, bsize } = await statfs(folder);
        const left = Number(bavail) * Number(bsize);
        if (left === 0) return;
        try {
          writeFileSync(`${filler}.${n}`, Buffer.alloc(Math.min(left, 8 * 1024 * 1024)));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          return;
        }
      }
    },
    free: () => {
      for (let n = 0; n < 10_000; n++) rmSync(`${filler}.${n}`, { force: true });
    },
    unmount: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'pipe' });
    },
  };
}
