import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder for a test, which other system users can access, too. */
export function makeScratchFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'milepost-test-')));
  chmodSync(folder, 0o755);
  return folder;
}

export const removeScratchFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true });
