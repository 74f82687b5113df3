import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

/** This checkout. */
const ROOT = join(import.meta.dirname, '../../..');

/** The server of another commit in a folder, with the installed packages of this one; it is `apps/server/src/main.ts` there. */
export function checkOut(commit: string, folder: string): string {
  mkdirSync(join(folder, 'node_modules/@milepost'), { recursive: true });
  const archive = `git archive ${commit} apps/server packages data package.json | tar -x -C "$1"`;
  execFileSync('sh', ['-c', archive, 'sh', folder], { cwd: ROOT });
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name !== '@milepost') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const name of readdirSync(join(folder, 'packages'))) {
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules/@milepost', name));
  }
  symlinkSync(join(ROOT, 'apps/server/node_modules'), join(folder, 'apps/server/node_modules'));
  return folder;
}
