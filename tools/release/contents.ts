import { execFileSync } from 'node:child_process';
import { globSync, lstatSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT } from '../launch/install.mjs';

/** What a release has of the checkout: code without tests, data, documents, the built web app. */
const FILES = [
  '{README,CHANGELOG,NOTICE,LICENSE}{.md,}',
  '{Dockerfile,.dockerignore,compose*.yaml}',
  'docs/**/*',
  'samples/**/*',
  'data/{map,demo,passwords}/**/*',
  'packages/*/{package.json,src/**/*}',
  'apps/{server,simulator}/{package.json,src/**/*}',
  'apps/web/dist/**/*',
  'tools/{run.mjs,start.ts}',
  'tools/{launch,service}/**/*',
];
const NOT_SHIPPED = /\.test\.tsx?$|\/testing\/|(^|\/)node_modules\//;

/** The workspaces whose dependencies a release brings: all but the web app, whose build contains them. */
const workspaces = (): string[] =>
  globSync('{apps,packages}/*/package.json', { cwd: ROOT })
    .map(dirname)
    .filter(folder => folder !== 'apps/web');

/** Paths of the files of a release, in the checkout, sorted; without packages. */
export function filesOfRelease(): string[] {
  const found = globSync(FILES, { cwd: ROOT }).filter(file => !NOT_SHIPPED.test(file));
  return found.filter(file => lstatSync(join(ROOT, file)).isFile()).sort();
}

/** Folders of the packages that a release runs with, as npm resolves them from the lock file, sorted. */
export function packagesOfRelease(): string[] {
  const args = ['ls', '--all', '--parseable', '--omit=dev', '--include-workspace-root'];
  for (const folder of workspaces()) args.push('--workspace', folder);
  return execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .map(path => relative(ROOT, path.trim()))
    .filter(path => path.includes('node_modules/') && !/node_modules\/@(milepost|types)\//.test(path))
    .sort();
}

/** The packages of the checkout itself, which are links in `node_modules`. */
export function linksOfRelease(): string[] {
  return globSync('node_modules/@milepost/*', { cwd: ROOT })
    .filter(link => !link.endsWith('/web'))
    .sort();
}
