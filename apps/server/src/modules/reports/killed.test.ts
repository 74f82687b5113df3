import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportFormat, ReportRun } from '@milepost/contract';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { storeTrips, TRIPS_A_DAY } from '../../../testing/stored-trips.ts';

/** Whatever writes a report may be killed at any step: the report is done once and whole, and nothing else is left. */

const RUN_REPORTS = join(import.meta.dirname, '../../../testing/run-reports.ts');
const [VEHICLES, DAYS] = [40, 28];
/** How long each runner lives once its job runs, in ms; the last one to the end. With three formats, 51 kills. */
const LIVES = Array.from({ length: 17 }, (_, nth) => nth * 26);
const patient = { timeout: 180_000, interval: 5 };

let server: TestHttpServer;
let owner: SignedIn;
/** Taken once: the test may run past midnight. */
let period: { readonly from: string; readonly to: string };
const children = new Set<ChildProcess>();

beforeAll(async () => {
  // Its own runner never starts: the jobs are for those that are killed.
  server = await startHttpServer();
  owner = await signedIn(server);
  for (let n = 0; n < VEHICLES; n++) await addNamedVehicle(server, owner.accountId, `Truck ${n}`);
  period = await storeTrips(server.context.db, owner.accountId, DAYS);
}, 120_000);
afterAll(async () => {
  await Promise.all([...children].map(kill));
  await server.close();
});

function runner(): ChildProcess {
  const { config, db } = server.context;
  const child = spawn(process.execPath, [RUN_REPORTS, db.pool.options.connectionString ?? '', config.dataDir], {
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

const find = async (id: string) =>
  ((await server.call('GET', '/api/v1/report_run', { token: owner.token })).body as ReportRun[]).find(
    run => run.id === id,
  );

/** Kills one runner after another in the middle of the job, and lets the last one end it. */
async function throughKills(id: string): Promise<ReportRun | undefined> {
  const { system } = server.context.db;
  for (const lifeMs of LIVES) {
    const child = runner();
    const isClaimed = async () => {
      const { rows } = await sql`select from jobs.job where name = 'one-off' and state = 'active'`.execute(system);
      return rows.length > 0;
    };
    await vi.waitFor(async () => expect((await isClaimed()) || (await find(id))?.endedAt !== null).toBe(true), patient);
    await sleep(lifeMs);
    await kill(child);
    // Instead of waiting until the heartbeat is missed.
    await sql`update jobs.job set heartbeat_on = now() - interval '1 minute' where name = 'one-off' and state = 'active'`.execute(
      system,
    );
    await sql`update jobs.job set start_after = now() where name = 'one-off' and state = 'retry'`.execute(system);
  }
  const last = runner();
  await vi.waitFor(async () => expect((await find(id))?.endedAt).toEqual(expect.any(String)), patient);
  await kill(last);
  return find(id);
}

it.each(['csv', 'xlsx', 'pdf'] as const)(
  '[R2.04] a report as %s is done once and whole, whatever is killed in the middle',
  { tags: ['long'], timeout: 900_000 },
  async (format: ReportFormat) => {
    const body = { key: 'trips', format, ...period };
    const started = await server.call('POST', '/api/v1/report_run', { token: owner.token, body });
    const { id } = started.body as ReportRun;
    const run = await throughKills(id);
    const rows = VEHICLES * DAYS * TRIPS_A_DAY;
    expect(run).toMatchObject({ state: 'done', problem: null, file: { rows } });
    const files = await readdir(join(server.context.config.dataDir, 'reports'));
    expect(files.filter(name => name.startsWith(id))).toEqual([id]);
    const { text } = await server.call('GET', `/api/v1/report_run/${id}/file`, { token: owner.token });
    if (format === 'csv') expect(parse(text, { bom: true })).toHaveLength(rows + 1);
    else expect(text.startsWith(format === 'pdf' ? '%PDF-' : 'PK')).toBe(true);
    if (format === 'pdf') expect(text.trimEnd().endsWith('%%EOF')).toBe(true);
  },
);
