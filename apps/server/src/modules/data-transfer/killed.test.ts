import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataExport, DataImport } from '@milepost/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, callerOf } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { listed, startExport, startImport, sweepTransfers } from '../../../testing/transfers.ts';

/** Whoever runs an export or an import may be killed at any step: it is done once and whole, and leaves nothing else. */

const RUN_TRANSFERS = join(import.meta.dirname, '../../../testing/run-transfers.ts');
const VEHICLES = 4;
const POSITIONS = 10_000;
/** How long each runner lives once its job runs, in ms; the last one to the end. */
const LIVES = [0, 120, 250, 450, 700, 1000];
const patient = { timeout: 60_000, interval: 5 };

let server: TestHttpServer;
let owner: SignedIn;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  // Its own runner never starts: the jobs are for those that are killed.
  server = await startHttpServer();
  owner = await signedIn(server);
  for (let n = 0; n < VEHICLES; n++) {
    const { id } = await addNamedVehicle(server, owner.accountId, `Truck ${n}`);
    const positions = Array.from({ length: POSITIONS }, (_, at) =>
      receivedPosition(Date.now() - (POSITIONS - at) * 10_000),
    );
    await storePositions(server, owner.accountId, Number(id), positions);
  }
}, 120_000);
afterAll(async () => {
  await Promise.all([...children].map(kill));
  await server.close();
});

function runner(): ChildProcess {
  const { config, db } = server.context;
  const child = spawn(process.execPath, [RUN_TRANSFERS, db.pool.options.connectionString ?? '', config.dataDir], {
    stdio: 'ignore',
  });
  children.add(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

type Transfer = DataExport | DataImport;
/** In which phases of an import a runner was killed. */
const killedIn = new Set<string>();

/** Kills one runner after another in the middle of the job, and lets the last one end it. */
async function throughKills(read: () => Promise<Transfer | undefined>): Promise<Transfer | undefined> {
  const { system } = server.context.db;
  let kills = 0;
  for (const lifeMs of LIVES) {
    const child = runner();
    const claimed = async () =>
      (
        await sql<{
          started: boolean;
        }>`select true as started from jobs.job where name = 'one-off' and state = 'active'`.execute(system)
      ).rows.length > 0;
    await vi.waitFor(async () => expect((await claimed()) || (await read())?.endedAt !== null).toBe(true), patient);
    await sleep(lifeMs);
    await kill(child);
    const now = await read();
    if (now?.endedAt) break;
    if (now && 'phase' in now) killedIn.add(now.phase);
    kills++;
    // Instead of waiting until the heartbeat is missed.
    await sql`update jobs.job set heartbeat_on = now() - interval '1 minute' where name = 'one-off' and state = 'active'`.execute(
      system,
    );
    await sql`update jobs.job set start_after = now() where name = 'one-off' and state = 'retry'`.execute(system);
  }
  expect(kills).toBeGreaterThanOrEqual(4);
  const last = runner();
  await vi.waitFor(async () => expect((await read())?.endedAt).toEqual(expect.any(String)), patient);
  await kill(last);
  return read();
}

const filesIn = (folder: string) => readdir(join(server.context.config.dataDir, folder)).catch(() => []);
const countOf = async (accountId: number, table: 'position' | 'vehicle') => {
  const { rows } = await sql<{
    count: string;
  }>`select count(*) from ${sql.table(table)} where account_id = ${accountId}`.execute(server.context.db.system);
  return Number(rows[0]?.count);
};

it('each is done once and whole, whatever is killed in the middle', { tags: ['long'], timeout: 300_000 }, async () => {
  const started = (await startExport(server, owner)).body as DataExport;
  const byId = (kind: 'export' | 'import', who: SignedIn, id: string) => async () =>
    (await listed(server, who, kind)).find(each => each.id === id);
  const exported = await throughKills(byId('export', owner, started.id));
  expect(exported).toMatchObject({ state: 'done', file: { rows: { position: VEHICLES * POSITIONS } } });
  expect(await filesIn('exports')).toEqual([started.id]);
  const { text } = await server.call('GET', `/api/v1/data/export/${started.id}/file`, owner);
  const lines = text.trimEnd().split('\n');
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ end: { vehicle: VEHICLES, position: VEHICLES * POSITIONS } });

  const call = callerOf(server, owner);
  for (const { id } of (await call('GET', '/device')).body as { id: string }[]) await call('DELETE', `/device/${id}`);
  const other = await signedIn(server);
  const asked = (await startImport(server, other, text)).body as DataImport;
  const read = byId('import', other, asked.id);
  const imported = await throughKills(async () => {
    const now = await read();
    // All of it or nothing, at every moment.
    expect([0, VEHICLES * POSITIONS]).toContain(await countOf(other.accountId, 'position'));
    return now;
  });
  expect(imported).toMatchObject({ state: 'done', rows: { vehicle: VEHICLES, position: VEHICLES * POSITIONS } });
  expect(killedIn).toContain('check');
  expect(await countOf(other.accountId, 'position')).toBe(VEHICLES * POSITIONS);
  const { system } = server.context.db;
  const audited = system.selectFrom('audit_entry').select('action').where('account_id', '=', other.accountId);
  expect(await audited.where('action', '=', 'data.imported').execute()).toHaveLength(1);
  await sweepTransfers(server, Date.now() + 2 * 3_600_000);
  expect([await filesIn('imports'), await filesIn('uploads')]).toEqual([[], []]);
  expect(await filesIn('exports')).toEqual([started.id]);
});
