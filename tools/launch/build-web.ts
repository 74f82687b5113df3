import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRelease, ROOT } from './install.mjs';
import type { Children } from './supervise.ts';

const WEB = join(ROOT, 'apps/web');
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
const DIST = join(WEB, 'dist');
/** Written into a finished build: the fingerprint of its sources. */
const STAMP = join(DIST, '.built-from');

/** Everything that a build depends on: the app, the packages that it may import, and the versions of all others. */
const SOURCES = [
  'apps/web/{src,public,build}/**/*',
  'apps/web/{index.html,package.json,tsconfig.json,vite.config.ts}',
  'packages/*/{src/**/*,package.json}',
  'package-lock.json',
];

/** Returns whether there is an up-to-date build. */
export async function buildWebWhenStale(children: Children): Promise<boolean> {
  if (isRelease()) return true;
  const fingerprint = fingerprintOf(ROOT);
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === fingerprint) return true;
  if (!mayWrite(existsSync(DIST) ? DIST : WEB)) {
    process.stderr.write(
      `The web app has to be built again, and this user may not write ${DIST}. Run npm start once as the user who owns it.\n`,
    );
    return false;
  }
  const began = Date.now();
  process.stdout.write('Building the web app…\n');
  rmSync(STAMP, { force: true });
  const built = await new Promise<boolean>(resolve => {
    children.start(VITE, {
      args: ['build'],
      cwd: WEB,
      quiet: true,
      onExit: (code, printed) => {
        if (code !== 0) process.stderr.write(`${printed}\nThe web app could not be built (see above).\n`);
        resolve(code === 0);
      },
    });
  });
  if (!built) return false;
  writeFileSync(STAMP, fingerprint);
  process.stdout.write(`Web app built in ${Math.round((Date.now() - began) / 1000)} s.\n`);
  return true;
}

function mayWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Based on content, because a checkout changes dates without changing files. Tests are not part of a build. */
export function fingerprintOf(root: string): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: root }).sort()) {
    const path = join(root, file);
    if (/\.test\.tsx?$/.test(file) || !statSync(path).isFile()) continue;
    hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}
