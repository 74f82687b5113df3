import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually, processesWith } from '../../testing/processes.ts';
import { makeScratchFolder, removeScratchFolder } from '../../testing/scratch.ts';
import { openDatabases } from './database.ts';
import { installedBinaries } from './embedded/binaries.ts';
import { freePort } from './embedded/free-port.ts';
import { findPlace } from './embedded/place.ts';
import { runPostmaster } from './embedded/postmaster.ts';
import { administratorOfRunning, connectionToRunning, type EmbeddedDatabase, startEmbedded } from './embedded.ts';
import { migrate } from './migrate.ts';

const log = pino({ level: 'silent' });
const isRoot = process.getuid?.() === 0;
let scratch: string;
let dataDir: string;
let cluster: string;
let database: EmbeddedDatabase | null = null;

beforeAll(async () => {
  scratch = makeScratchFolder();
  dataDir = join(scratch, 'data');
  cluster = join(dataDir, 'database');
  const first = await startEmbedded({ dataDir, log });
  await query(first, 'create table kept (id integer); insert into kept values (1)');
  await first.stop();
});
afterEach(async () => {
  await database?.stop();
  database = null;
});
afterAll(() => removeScratchFolder(scratch));

async function query(on: Pick<EmbeddedDatabase, 'url'>, text: string): Promise<unknown[]> {
  const client = new Client(on.url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** An embedded database run by another process, for as long as that process lives. */
async function startElsewhere(): Promise<{ url: string; kill(): Promise<void> }> {
  const script = join(import.meta.dirname, '../../testing/keep-database.ts');
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: line.toString().trim(),
    kill: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

const postmasterPid = (): number => Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
const isRunning = (): boolean => processesWith(cluster).length > 0;

describe('an embedded database', () => {
  it('is durable and private: fsync, checksums, scram, its password for the owner of DATA_DIR only', async () => {
    database = await startEmbedded({ dataDir, log });
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'data_checksums', 'password_encryption'];
    const rows = await query(
      database!,
      `select name, setting from pg_settings where name = any('{${settings}}') order by name`,
    );
    expect(
      Object.fromEntries((rows as { name: string; setting: string }[]).map(row => [row.name, row.setting])),
    ).toEqual({
      data_checksums: 'on',
      fsync: 'on',
      full_page_writes: 'on',
      password_encryption: 'scram-sha-256',
      synchronous_commit: 'on',
    });
    expect(statSync(join(dataDir, 'database.password')).mode & 0o777).toBe(0o600);
    const stranger = new Client(database!.url.replace(/:[^:@/]+@/, ':guessed@'));
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' });
  });

  it('is used by a role that owns it and has no other rights', async () => {
    database = await startEmbedded({ dataDir, log });
    const rights = await query(
      database,
      'select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = current_user',
    );
    expect(rights).toEqual([
      { rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false },
    ]);
    for (const statement of [
      `select pg_read_file('postgresql.conf')`,
      `copy kept from program 'echo 2'`,
      `copy kept to '${join(dataDir, 'kept')}'`,
      'create role more superuser',
      'alter system set fsync = off',
      'set role milepost',
    ]) {
      await expect(query(database, statement)).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('of an earlier version, created as superuser, is taken over with all its data', async () => {
    const folder = join(scratch, 'earlier');
    database = await startEmbedded({ dataDir: folder, log });
    const administrator = openDatabases((await administratorOfRunning(folder))!);
    await administrator.pool.query(
      'drop schema public cascade; create schema public; alter database milepost owner to milepost',
    );
    await migrate(administrator.pool);
    await administrator.pool.query(
      `insert into account (name) values ('Kept'); create table position_2020_01 partition of position for values from ('2020-01-01') to ('2020-02-01')`,
    );
    await administrator.close();
    await database.stop();

    database = await startEmbedded({ dataDir: folder, log });
    const databases = openDatabases(database.connection);
    expect(await migrate(databases.pool)).toEqual([]);
    const { rows: others } = await databases.pool.query(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'S')
        and relowner <> current_user::regrole
       union all
       select proname from pg_proc where pronamespace = 'public'::regnamespace and proowner <> current_user::regrole`,
    );
    expect(others).toEqual([]);
    expect(await databases.system.selectFrom('account').select('name').execute()).toEqual([{ name: 'Kept' }]);
    await databases.pool.query('drop table position_2020_01; create table more (id integer)');
    const [account] = await databases.system.selectFrom('account').select('id').execute();
    expect(await databases.asAccount(account!.id, trx => trx.selectFrom('account').select('name').execute())).toEqual([
      { name: 'Kept' },
    ]);
    await databases.close();
  });

  it('leaves no process when it is stopped, and has its data at the next start', async () => {
    database = await startEmbedded({ dataDir, log });
    expect(isRunning()).toBe(true);
    await database.stop();
    expect(isRunning()).toBe(false);
    database = await startEmbedded({ dataDir, log });
    expect(await query(database, 'select * from kept')).toEqual([{ id: 1 }]);
  });

  it('ends when it is stopped in the middle of its start, however early', async () => {
    const place = await findPlace(dataDir, installedBinaries());
    for (const afterMs of [0, 1, 3, 6, 10, 15, 25, 40, 80]) {
      const starting = runPostmaster(place, await freePort(), {}, log);
      await sleep(afterMs);
      await starting.stop();
    }
    expect(isRunning()).toBe(false);
  });

  it('is refused to a second server, which can still find the first server’s', async () => {
    database = await startEmbedded({ dataDir, log });
    await expect(startEmbedded({ dataDir, log })).rejects.toThrow(
      `Another Milepost (process ${process.pid}) is running on the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
    const client = new Client((await connectionToRunning(dataDir))!);
    await client.connect();
    expect((await client.query('select * from kept')).rows).toEqual([{ id: 1 }]);
    await client.end();
  });

  it('shuts itself down when its server is killed', async () => {
    const elsewhere = await startElsewhere();
    expect(isRunning()).toBe(true);
    await elsewhere.kill();
    expect(await eventually(() => !isRunning())).toBe(true);
    database = await startEmbedded({ dataDir, log });
    expect(await query(database, 'select * from kept')).toEqual([{ id: 1 }]);
  });

  it('that was left running is found, stopped and started again', async () => {
    const elsewhere = await startElsewhere();
    const left = postmasterPid();
    // Also kill the processes that would shut it down: the one waiting for the pipe first, because the pipe closes
    // when the other ends.
    const lifeline = processesWith(cluster).filter(({ command }) => command.includes('milepost-database'));
    for (const { pid } of lifeline.sort((a, b) => b.pid - a.pid)) process.kill(pid, 'SIGKILL');
    await elsewhere.kill();
    expect(await query(elsewhere, 'select * from kept')).toEqual([{ id: 1 }]);
    database = await startEmbedded({ dataDir, log });
    expect(await query(database, 'select * from kept')).toEqual([{ id: 1 }]);
    expect(postmasterPid()).not.toBe(left);
    expect(processesWith(cluster).some(({ pid }) => pid === left)).toBe(false);
  });

  it('restarts at the same address when it is killed', async () => {
    database = await startEmbedded({ dataDir, log });
    process.kill(postmasterPid(), 'SIGKILL');
    expect(await eventually(() => database!.trouble() !== null)).toBe(true);
    expect(await eventually(() => database!.trouble() === null)).toBe(true);
    expect(await query(database, 'select * from kept')).toEqual([{ id: 1 }]);
  });
});

describe('a data folder that is damaged says what to do', () => {
  const broken: [string, () => () => void, RegExp][] = [
    ['PG_VERSION is missing', () => hide('database/PG_VERSION'), /not a whole database.*move it away/],
    [
      'its control file is missing',
      () => hide('database/global/pg_control'),
      /does not start: could not find.*from a backup/,
    ],
    ['its password is missing', () => hide('database.password'), /password.*is missing.*from a backup/],
    ['its password is another’s', () => change('database.password', 'x'), /from the same backup/],
    ['another PostgreSQL made it', () => change('database/PG_VERSION', '13'), /made by PostgreSQL 13.*DATABASE_URL/],
    ['the first checkpoint is gone', () => hide('database/pg_wal'), /does not start: .*from a backup/],
  ];

  const hide = (name: string): (() => void) => {
    renameSync(join(dataDir, name), join(scratch, 'hidden'));
    return () => renameSync(join(scratch, 'hidden'), join(dataDir, name));
  };
  const change = (name: string, text: string): (() => void) => {
    const before = readFileSync(join(dataDir, name));
    writeFileSync(join(dataDir, name), text);
    return () => writeFileSync(join(dataDir, name), before);
  };

  it.each(broken)('when %s', async (_what, damage, sentence) => {
    const repair = damage();
    try {
      await expect(startEmbedded({ dataDir, log })).rejects.toThrow(sentence);
      expect(isRunning()).toBe(false);
    } finally {
      repair();
    }
    database = await startEmbedded({ dataDir, log });
    expect(await query(database, 'select * from kept')).toEqual([{ id: 1 }]);
  });
});

it('starts over after an interrupted first start', async () => {
  const fresh = join(scratch, 'interrupted');
  mkdirSync(join(fresh, 'database.unfinished/cluster/global'), { recursive: true });
  database = await startEmbedded({ dataDir: fresh, log });
  expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(existsSync(join(fresh, 'database.unfinished'))).toBe(false);
});

describe.skipIf(!isRoot)('as root', () => {
  it('runs as a user without rights', async () => {
    database = await startEmbedded({ dataDir, log });
    expect(statSync(`/proc/${postmasterPid()}`).uid).not.toBe(0);
  });

  it('keeps the database where its user has access if DATA_DIR is in a folder only for root', async () => {
    const closed = join(scratch, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const closedData = join(closed, 'data');
    let place = '';
    try {
      database = await startEmbedded({ dataDir: closedData, log });
      place = readFileSync(join(closedData, 'database.location'), 'utf8').trim();
      await query(database, 'create table kept (id integer); insert into kept values (2)');
      await database.stop();
      database = await startEmbedded({ dataDir: closedData, log });
      expect(await query(database, 'select * from kept')).toEqual([{ id: 2 }]);
      expect(place.startsWith('/tmp')).toBe(false);
      await database.stop();

      rmSync(place, { recursive: true });
      database = null;
      await expect(startEmbedded({ dataDir: closedData, log })).rejects.toThrow(/is not there. Put it back/);
    } finally {
      await database?.stop();
      database = null;
      if (place) rmSync(place, { recursive: true, force: true });
    }
  });
});
