import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../launch/install.mjs';
import { describeRelease, writeRelease } from '../release/archive.ts';
import { type Image, isIgnored, readDockerfile } from './dockerfile.ts';

/**
 * The steps of the Dockerfile in a folder with Debian's packages, and its command as a container runtime runs it: own
 * mounts, processes and network, a read-only root, no capabilities, its user. Needs root, Linux and mmdebstrap
 * (apt-get install mmdebstrap); nothing is installed for it.
 */
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const canRun = process.getuid?.() === 0 && ['mmdebstrap', 'unshare', 'nsenter', 'ip'].every(has);

describe.skipIf(!canRun)('the image, in a folder with Debian’s packages', { tags: 'long', timeout: 900_000 }, () => {
  const image = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'milepost-image-'));
  const root = join(folder, 'root');
  const volume = join(folder, 'volume');
  let container: ChildProcess | null = null;

  beforeAll(() => {
    const suite = /^debian:(\w+)-slim$/.exec(image.from)?.[1] ?? '';
    run('mmdebstrap', ['--variant=minbase', suite, root]);
    build(image, root, contextOf(join(folder, 'context')));
    // As a volume begins: with what the image has there, owner included.
    cpSync(join(root, image.volumes[0] ?? ''), volume, { recursive: true });
    run('chown', ['--reference', join(root, image.volumes[0] ?? ''), volume]);
    run('chmod', ['0700', volume]);
  }, 900_000);
  afterAll(async () => {
    // The end of a container's first process ends all others. Without it, they outlive their parent.
    const first = firstChildOf(container?.pid);
    if (container?.exitCode === null && first !== null) {
      process.kill(first, 'SIGKILL');
      await once(container, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  /** A release, and what must not get into an image. */
  function contextOf(context: string): string {
    writeRelease(context, describeRelease());
    mkdirSync(join(context, 'data/backup'), { recursive: true });
    writeFileSync(join(context, 'data/backup/key'), 'secret');
    writeFileSync(join(context, '.env'), 'POSTGRES_PASSWORD=secret');
    return context;
  }

  const start = async (): Promise<number> => {
    container = spawn(
      'unshare',
      [
        '--mount',
        '--pid',
        '--net',
        '--ipc',
        '--uts',
        '--fork',
        '--kill-child',
        'sh',
        '-c',
        RUN,
        'sh',
        ...image.command,
      ],
      {
        stdio: ['ignore', 'inherit', 'inherit'],
        env: {
          PATH: process.env.PATH,
          NEW_ROOT: root,
          VOLUME: volume,
          AT: image.volumes[0],
          FOLDER: image.folder,
          USER: image.user,
          VARIABLES: variables(),
        },
      },
    );
    await expect.poll(() => firstChildOf(container?.pid), { timeout: 10_000 }).toBeGreaterThan(0);
    return firstChildOf(container.pid) ?? 0;
  };
  const variables = (): string =>
    Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin', LOG_LEVEL: 'error', ...image.env })
      .map(([name, value]) => `${name}=${value}`)
      .join(' ');
  /** Runs a command inside, as its user. */
  const inside = (pid: number, command: readonly string[]) =>
    spawnSync(
      'nsenter',
      [
        '--target',
        String(pid),
        '--mount',
        '--pid',
        '--net',
        'chroot',
        `--userspec=${image.user}`,
        root,
        '/usr/bin/env',
        '-i',
        `--chdir=${image.folder}`,
        ...variables().split(' '),
        ...command,
      ],
      { encoding: 'utf8' },
    );
  const untilHealthy = async (pid: number): Promise<void> => {
    for (let tries = 0; inside(pid, image.healthCheck).status !== 0; tries++) {
      expect(tries < 120 && container?.exitCode === null).toBe(true);
      await sleep(500);
    }
  };
  const stop = async (pid: number): Promise<void> => {
    process.kill(pid, image.stopSignal as NodeJS.Signals);
    expect(await once(container as ChildProcess, 'exit')).toEqual([0, null]);
  };

  it('has no secrets, and code that its user can’t change', () => {
    const [uid] = image.user.split(':').map(Number);
    expect(existsSync(join(root, image.folder, 'data/backup'))).toBe(false);
    expect(existsSync(join(root, image.folder, '.env'))).toBe(false);
    expect(lstatSync(join(root, image.folder, 'apps/server/src/main.ts')).uid).toBe(0);
    expect(lstatSync(join(root, image.volumes[0] ?? '')).uid).toBe(uid);
  });

  it('becomes healthy on an empty volume, answers, ends on its signal, and goes on with the volume', async () => {
    const pid = await start();
    await untilHealthy(pid);
    const link = readFileSync(join(volume, 'owner-link'), 'utf8').trim();
    expect(link).toMatch(/^http.*#/);
    const page =
      "fetch('http://127.0.0.1:8080/').then(async r => console.log(r.status, (await r.text()).includes('/assets/')))";
    expect(inside(pid, [image.command[0] ?? '', '-e', page]).stdout).toBe('200 true\n');
    expect(inside(pid, ['id', '-u']).stdout).toBe(`${image.user.split(':')[0]}\n`);
    expect(inside(pid, ['touch', '/opt/milepost/x']).stderr).toContain('Read-only file system');
    expect(inside(pid, ['grep', '-E', '^Cap(Eff|Bnd)', '/proc/1/status']).stdout).toBe(
      'CapEff:\t0000000000000000\nCapBnd:\t0000000000000000\n',
    );
    await stop(pid);

    const again = await start();
    await untilHealthy(again);
    expect(readFileSync(join(volume, 'owner-link'), 'utf8').trim()).not.toBe(link);
    await stop(again);
  });
});

it.runIf(!canRun)('the image can’t be tried here', { tags: 'long' }, context =>
  context.skip('It needs root and mmdebstrap (apt-get install mmdebstrap).'),
);

/** Applies `COPY` and `RUN` to a root. */
function build(image: Image, root: string, context: string): void {
  const ignore = readFileSync(join(ROOT, '.dockerignore'), 'utf8');
  for (const step of image.steps) {
    if (step.kind === 'copy') {
      const target = join(root, step.to);
      mkdirSync(dirname(target), { recursive: true });
      const filter = (path: string): boolean => {
        const inContext = relative(context, path);
        // A folder that is kept out may have parts that are not.
        return inContext === '' || inContext === 'data' || !isIgnored(ignore, inContext);
      };
      cpSync(join(context, step.from), target, { recursive: true, verbatimSymlinks: true, filter });
    } else run('chroot', [`--userspec=${step.user}`, root, '/bin/sh', '-c', `cd ${step.folder} && ${step.script}`]);
  }
}

function run(program: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
}

/** Becomes the container's first process: mounts as a runtime does with a read-only root, then its user and command. */
const RUN = `
set -e
mount --make-rprivate /
ip link set lo up
mount --bind "$NEW_ROOT" "$NEW_ROOT"
mount --rbind /dev "$NEW_ROOT/dev"
mount -t proc proc "$NEW_ROOT/proc"
mount -t tmpfs -o mode=1777 tmpfs "$NEW_ROOT/tmp"
mount --bind "$VOLUME" "$NEW_ROOT$AT"
mount -o remount,bind,ro "$NEW_ROOT"
exec chroot "$NEW_ROOT" setpriv --reuid "\${USER%:*}" --regid "\${USER#*:}" --clear-groups --no-new-privs \\
  --bounding-set=-all --inh-caps=-all --ambient-caps=-all env -i --chdir="$FOLDER" $VARIABLES "$@"
`;

function firstChildOf(pid: number | undefined): number | null {
  const children = `/proc/${pid}/task/${pid}/children`;
  const [first] = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : [];
  return first ? Number(first) : null;
}
