import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildWebWhenStale } from '../launch/build-web.ts';
import { ROOT } from '../launch/install.mjs';
import { superviseChildren } from '../launch/supervise.ts';
import { describeRelease, packRelease, writeRelease } from './archive.ts';

/**
 * `npm run release [-- --out FOLDER]`: an archive that runs without npm, a build or a network, and its checksum.
 * With `--folder FOLDER`, the same as a folder, for container images and packages.
 */
const { values } = parseArgs({ options: { out: { type: 'string', default: 'dist' }, folder: { type: 'string' } } });
process.exitCode = (await release()) ? 0 : 1;

async function release(): Promise<boolean> {
  const changed = spawnSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).stdout?.trim();
  if (changed) return refuse(`Commit first: a release has what is committed.\n${changed}`);
  const folder = values.folder && resolve(ROOT, values.folder);
  if (folder && existsSync(folder)) return refuse(`${folder} is already there. Remove it or choose another.`);
  if (!(await buildWebWhenStale(superviseChildren()))) return false;
  if (folder) {
    writeRelease(folder, describeRelease());
    process.stdout.write(`${folder}\n`);
    return true;
  }
  const archive = await packRelease(resolve(ROOT, values.out), describeRelease());
  recordRelease();
  process.stdout.write(
    `${archive} (${Math.round(statSync(archive).size / 1e6)} MB)\n${readFileSync(`${archive}.sha256`, 'utf8')}`,
  );
  return true;
}

/** What the next version's migrations are compared with, and which server must work on them: commit it. */
function recordRelease(): void {
  const folder = join(ROOT, 'apps/server/src/db');
  const lastMigration = readdirSync(join(folder, 'migrations')).sort().at(-1);
  const record = { commit: describeRelease().commit, lastMigration };
  writeFileSync(join(folder, 'last-release.json'), `${JSON.stringify(record, null, 2)}\n`);
}

function refuse(sentence: string): false {
  process.stderr.write(`${sentence}\n`);
  return false;
}
