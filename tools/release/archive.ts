import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, createReadStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PINNED_NODE, ROOT } from '../launch/install.mjs';
import { filesOfRelease, linksOfRelease, packagesOfRelease } from './contents.ts';
import { makeSbom } from './sbom.ts';

export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly at: Date;
  /** Node's names of system and processor: packages with native code are for one. */
  readonly platform: string;
}

interface Manifest extends Record<string, unknown> {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
}

const readManifest = (): Manifest => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** What a release of the checkout would be called. Outside Git, `SOURCE_DATE_EPOCH` is its time. */
export function describeRelease(): Release {
  const git = (...args: readonly string[]): string =>
    spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' }).stdout?.trim() ?? '';
  const seconds = Number(process.env.SOURCE_DATE_EPOCH || git('log', '-1', '--format=%ct') || 0);
  return {
    version: readManifest().version,
    commit: git('rev-parse', 'HEAD') || 'unknown',
    at: new Date(seconds * 1000),
    platform: `${process.platform}-${process.arch}`,
  };
}

export const nameOf = ({ version, platform }: Release): string => `milepost-${version}-${platform}`;

/** Writes everything of a release into a folder, which must not exist yet. The web app must have been built. */
export function writeRelease(folder: string, release: Release): void {
  mkdirSync(folder, { recursive: true });
  const copy = (path: string, filter?: (source: string) => boolean): void => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(ROOT, path), target, { recursive: true, verbatimSymlinks: true, ...(filter && { filter }) });
  };
  const files = filesOfRelease();
  for (const path of [...files, ...linksOfRelease()]) copy(path);
  for (const path of packagesOfRelease()) {
    // Packages inside a package are in the list of their own, if they belong to it.
    copy(path, source => !relative(join(ROOT, path), source).split('/').includes('node_modules'));
  }
  cpSync(join(ROOT, 'tools/release/milepost'), join(folder, 'milepost'));
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
  write('package.json', manifestOf(files));
  write('sbom.cdx.json', makeSbom(release.commit, release.at));
  write('release.json', { ...release, at: release.at.toISOString(), node: nodeVersion() });
}

/** Of the commands, those whose code is there; nothing that only developers need. */
function manifestOf(files: readonly string[]): Manifest {
  const { devDependencies: _, ...manifest } = readManifest();
  const run = readFileSync(join(ROOT, 'tools/run.mjs'), 'utf8');
  const isThere = ([name, command]: [string, string]): boolean => {
    const script = new RegExp(`^ {2}'?${name}'?: \\{ script: '([^']+)'`, 'm').exec(run)?.[1];
    return command.startsWith('exec node tools/run.mjs') && script !== undefined && files.includes(script);
  };
  return { ...manifest, scripts: Object.fromEntries(Object.entries(manifest.scripts).filter(isThere)) };
}

const nodeVersion = (): string => spawnSync(PINNED_NODE, ['--version'], { encoding: 'utf8' }).stdout.trim();

/**
 * Packs a release and its checksum, and returns the archive's path. The same commit gives the same bytes: sorted, owned
 * by root, with the commit's time.
 */
export async function packRelease(folder: string, release: Release): Promise<string> {
  const name = nameOf(release);
  const archive = join(folder, `${name}.tar.gz`);
  const work = mkdtempSync(join(tmpdir(), 'milepost-release-'));
  try {
    writeRelease(join(work, name), release);
    mkdirSync(folder, { recursive: true });
    const tar = [
      '--sort=name',
      `--mtime=@${release.at.getTime() / 1000}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u=rwX,go=rX',
      '--use-compress-program=gzip -n -6',
      '-cf',
    ];
    const { status, stderr } = spawnSync('tar', [...tar, archive, '-C', work, name], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`The archive could not be written: ${stderr}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), hash);
  writeFileSync(`${archive}.sha256`, `${hash.digest('hex')}  ${name}.tar.gz\n`);
  return archive;
}
