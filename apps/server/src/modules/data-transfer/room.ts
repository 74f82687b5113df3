import { mkdir, statfs } from 'node:fs/promises';

/** Disk space kept free for everything else that the server writes, in bytes. */
const KEPT_FREE = 1024 ** 3;

/** How many bytes may still be written into a folder, which is made if it is missing. */
export async function roomIn(folder: string, keptFree = KEPT_FREE): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { bavail, bsize } = await statfs(folder);
  return Math.max(0, bavail * bsize - keptFree);
}
