import { spawnSync } from 'node:child_process';

/** The operating system user that the database runs as, because PostgreSQL refuses to run as root. */
export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

export const isRoot = (): boolean => process.getuid?.() === 0;

/** The user for a new database: `postgres` if it exists, else our own, else `nobody`. */
export function chooseSystemUser(): SystemUser {
  const user = findUser('postgres') ?? findUser('milepost') ?? createUser('milepost') ?? findUser('nobody');
  return user ?? { uid: 65534, gid: 65534 };
}

/** Whether this user can access a folder. Asks the system, because mode bits do not include access lists. */
export function canEnter(user: SystemUser, folder: string): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], { ...user, stdio: 'ignore' }).status === 0;
}

/** Whether this user can run a program; `--version` costs a few milliseconds. */
export function canRun(user: SystemUser | null, program: string): boolean {
  return spawnSync(program, ['--version'], { ...user, stdio: 'ignore' }).status === 0;
}

function findUser(name: string): SystemUser | null {
  const ids = ['-u', '-g'].map(flag => spawnSync('id', [flag, name], { encoding: 'utf8' }));
  const [uid, gid] = ids.map(({ status, stdout }) => (status === 0 ? Number.parseInt(stdout, 10) : Number.NaN));
  return uid !== undefined && gid !== undefined && uid > 0 && gid >= 0 ? { uid, gid } : null;
}

function createUser(name: string): SystemUser | null {
  spawnSync('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', name], {
    stdio: 'ignore',
  });
  return findUser(name);
}
