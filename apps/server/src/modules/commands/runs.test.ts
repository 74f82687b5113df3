import type { CommandRun, CommandRunResults } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../../testing/control-password.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle } from '../../../testing/organisation.ts';
import { auditOf, type Person, person } from '../../../testing/people.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';

/** A command for several vehicles goes on without its page, with the checks of each at the moment it leaves. */

const patient = { timeout: 30_000, interval: 25 };
let server: TestHttpServer;
let owner: Person;
let names = 0;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await person(server);
});

async function vehicles(count: number, ignition = false): Promise<{ id: string; imei: string }[]> {
  const made: { id: string; imei: string }[] = [];
  for (let at = 0; at < count; at++) {
    const vehicle = await addNamedVehicle(server, owner.accountId, `Unit ${++names}`);
    const report = receivedPosition(Date.now() - 1000, {
      protocol: 'gt06',
      ...(ignition && { ignition: true, speed: metresPerSecond(20) }),
    });
    await storePositions(server, owner.accountId, Number(vehicle.id), [report]);
    made.push(vehicle);
  }
  return made;
}

const start = (of: readonly { imei: string }[], body: object, who = owner) =>
  who.call('POST', 'command_run', { imeis: of.map(({ imei }) => imei), ...body });
const idOf = ({ body }: { readonly body: unknown }) => (body as CommandRun).id;
const read = async (id: string, who = owner) => (await who.call('GET', `command_run/${id}`)).body as CommandRunResults;

async function ended(id: string): Promise<CommandRunResults> {
  await vi.waitFor(async () => expect((await read(id)).endedAt).not.toBeNull(), patient);
  return read(id);
}
const commandCount = async () =>
  Number(
    (
      await server.context.db.system
        .selectFrom('command')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('account_id', '=', owner.accountId)
        .executeTakeFirstOrThrow()
    ).count,
  );

it('sends to each, tells why not where it can’t, and is found again from any browser of the user', async () => {
  const some = await vehicles(3);
  const silent = await addNamedVehicle(server, owner.accountId, `Unit ${++names}`);
  const started = await start([...some, silent], { action: 'trackOnDemand' });
  expect(started).toMatchObject({ status: 201, body: { total: 4, problem: null } });
  const run = await ended(idOf(started));
  expect(run).toMatchObject({ state: 'done', done: 4 });
  expect(run.vehicles.map(({ imei }) => imei)).toEqual([...some, silent].map(({ imei }) => imei));
  expect(run.vehicles.slice(0, 3).map(({ problem }) => problem)).toEqual([null, null, null]);
  expect(run.vehicles[3]).toMatchObject({ commandId: null, problem: { code: 'command-not-offered' } });
  expect((await owner.call('GET', `command/${run.vehicles[0]?.commandId}`)).body).toMatchObject({
    imei: some[0]?.imei,
    action: 'trackOnDemand',
  });
  const { token } = await server.sessions.open(owner);
  const elsewhere = await server.call('GET', '/api/v1/command_run', { token });
  expect(elsewhere.body).toMatchObject([{ id: run.id, done: 4, total: 4 }]);
  // Nobody else's, not even in the account.
  const colleague = await person(server, { accountId: owner.accountId, role: 'admin' });
  expect((await colleague.call('GET', 'command_run')).body).toEqual([]);
  expect((await colleague.call('GET', `command_run/${run.id}`)).status).toBe(404);
  expect((await colleague.call('POST', `command_run/${run.id}/cancel`)).status).toBe(404);
});

it('counts a wrong control password once, and sends with a grant for each vehicle', async () => {
  const some = await vehicles(3);
  await setTestControlPassword(server, owner);
  const stop = { action: 'engineStop', mode: 'immediate', reason: 'Stolen' };
  const wrong = await start(some, { ...stop, controlPassword: 'not it' });
  expect(wrong).toMatchObject({ status: 400, body: { code: 'control-password-wrong', params: { left: 4 } } });
  expect(await start(some, stop)).toMatchObject({ status: 403 });
  expect(await commandCount()).toBe(0);
  const run = await ended(idOf(await start(some, { ...stop, controlPassword: TEST_CONTROL_PASSWORD })));
  expect(run.vehicles.every(({ commandId }) => commandId !== null)).toBe(true);
  const { rows } = await server.context.db.pool.query(
    'select count(distinct grant_hash)::int as grants from command where account_id = $1',
    [owner.accountId],
  );
  expect(rows).toEqual([{ grants: 3 }]);
  expect(JSON.stringify(await auditOf(server, owner.accountId))).not.toContain(TEST_CONTROL_PASSWORD);
});

it('[R7.35] refuses a vehicle whose interlock fails when its turn comes, and goes on', async () => {
  const [parked, moving] = [await vehicles(1), await vehicles(1, true)];
  await setTestControlPassword(server, owner);
  const body = { action: 'engineStop', mode: 'immediate', reason: 'Stolen', controlPassword: TEST_CONTROL_PASSWORD };
  const run = await ended(idOf(await start([...moving, ...parked], body)));
  expect(run.state).toBe('done');
  expect(run.vehicles.map(({ problem }) => problem?.code ?? null)).toEqual(['interlock-fails', null]);
});

it('ends what is not sent when the session or the control password ends, and keeps no secret', async () => {
  const some = await vehicles(2);
  await setTestControlPassword(server, owner);
  // Held back, as by a server that is away.
  const begin = vi.spyOn(server.context.jobs.oneOffs, 'begin').mockResolvedValue();
  const stop = { action: 'engineStop', mode: 'immediate', reason: 'Stolen', controlPassword: TEST_CONTROL_PASSWORD };
  const byPassword = idOf(await start(some, stop));
  const other = { ...owner, ...(await server.sessions.open(owner)) };
  const bySession = await server.call('POST', '/api/v1/command_run', {
    token: other.token,
    body: { imeis: some.map(({ imei }) => imei), action: 'trackOnDemand' },
  });
  begin.mockRestore();
  await setTestControlPassword(server, owner);
  await server.sessions.end([other.sessionId]);
  for (const id of [byPassword, idOf(bySession)]) await server.context.jobs.oneOffs.begin(id);
  expect(await ended(byPassword)).toMatchObject({ state: 'failed', problem: { code: 'grant-refused' } });
  expect(await ended(idOf(bySession))).toMatchObject({ state: 'failed', problem: { code: 'session-ended' } });
  expect(await commandCount()).toBe(0);
  const jobs = await server.context.db.system
    .selectFrom('job')
    .select('work')
    .where('account_id', '=', owner.accountId)
    .execute();
  expect(jobs).toEqual([{ work: {} }, { work: {} }]);
});

it('[I4] ends what is not sent a quarter of an hour after the control password was entered, as after a long outage', async () => {
  const some = await vehicles(2);
  await setTestControlPassword(server, owner);
  const begin = vi.spyOn(server.context.jobs.oneOffs, 'begin').mockResolvedValue();
  const stop = { action: 'engineStop', mode: 'immediate', reason: 'Stolen', controlPassword: TEST_CONTROL_PASSWORD };
  const id = idOf(await start(some, stop));
  begin.mockRestore();
  await server.context.db.pool.query(
    `update job set work = jsonb_set(work, '{startedAt}', to_jsonb((work->>'startedAt')::bigint - $2::bigint)) where id = $1`,
    [id, 16 * 60_000],
  );
  await server.context.jobs.oneOffs.begin(id);
  expect(await ended(id)).toMatchObject({ state: 'failed', problem: { code: 'grant-refused' } });
  expect(await commandCount()).toBe(0);
});

it('sends nothing twice when it is taken up again, and nothing after it is cancelled', async () => {
  const some = await vehicles(3);
  const begin = vi.spyOn(server.context.jobs.oneOffs, 'begin').mockResolvedValue();
  const id = idOf(await start(some, { action: 'trackOnDemand' }));
  const cancelled = idOf(await start(some, { action: 'getVersion' }));
  begin.mockRestore();
  expect((await owner.call('POST', `command_run/${cancelled}/cancel`)).body).toMatchObject({ state: 'cancelled' });
  expect((await owner.call('POST', `command_run/${cancelled}/cancel`)).status).toBe(409);
  await server.context.jobs.oneOffs.begin(cancelled);
  await server.context.jobs.oneOffs.begin(id);
  await ended(id);
  // What a server leaves that is killed between sending and writing that it sent.
  const { pool } = server.context.db;
  await pool.query(
    `update job set state = 'running', ended_at = null, done = 0,
    work = (select jsonb_build_object('sessionId', $2::text, 'author', '{}'::jsonb, 'wanted', '{"action":"trackOnDemand"}'::jsonb, 'passwordSetAt', null))
    where id = $1`,
    [id, owner.sessionId],
  );
  await pool.query(`update command_run_vehicle set state = 'waiting' where job_id = $1`, [id]);
  await pool.query(`delete from jobs.job where id = $1`, [id]);
  await server.context.jobs.oneOffs.begin(id);
  const again = await ended(id);
  expect(again.vehicles.every(({ commandId, problem }) => commandId !== null && problem === null)).toBe(true);
  expect(await commandCount()).toBe(3);
});

it('names no vehicle out of sight, and takes no parameters that the tracker doesn’t know', async () => {
  const some = await vehicles(1);
  const stranger = await person(server);
  expect((await start(some, { action: 'trackOnDemand' }, stranger)).status).toBe(404);
  const viewer = await person(server, { accountId: owner.accountId, role: 'viewer' });
  expect(await start(some, { action: 'engineStop', reason: 'x', controlPassword: 'y' }, viewer)).toMatchObject({
    status: 403,
    body: { code: 'not-allowed' },
  });
});
