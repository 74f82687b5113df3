import { randomUUID } from 'node:crypto';
import { type BoardRow, dismissSignIn, type MyDuty, readLogDay } from '@milepost/contract';
import type { LogEntry } from '@milepost/eld';
import { fromMilesPerHour } from '@milepost/units';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';

const MINUTE = 60_000;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** Two drivers who keep a log, the first of them signed in to a vehicle for an hour; whoever sees them at the desk. */
async function fleet(now: number) {
  const me = await userWithData(server, { role: 'driver', drives: true });
  const { system } = server.context.db;
  const { id } = await system
    .insertInto('driver')
    .values({ account_id: me.accountId, name: 'Wade Shifflett' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await system
    .insertInto('log_setting')
    .values([Number(me.driverId), id].map(one => ({ account_id: me.accountId, driver_id: one, keeps_log: true })))
    .execute();
  const desk = await signedIn(server, { accountId: me.accountId, role: 'dispatcher' });
  await server.context.feed.settled();
  const action = { kind: 'sign-in', vehicleId: me.vehicleId };
  const inputs = [{ id: randomUUID(), at: new Date(now - 60 * MINUTE).toISOString(), action }];
  const sent = await server.call('POST', '/api/v1/eld/duty', { token: me.token, body: { inputs } });
  expect(sent.status).toBe(200);
  return { me, desk, otherId: String(id) };
}

const drive = (me: UserWithData, at: number, mph: number) =>
  storePositions(server, me.accountId, Number(me.vehicleId), [
    receivedPosition(at, { speed: fromMilesPerHour(mph), ignition: true }),
  ]);

const boardRows = async (token: string): Promise<BoardRow[]> => {
  const answer = await server.call('GET', '/api/v1/eld/board', { token });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return (answer.body as { rows: BoardRow[] }).rows;
};

/** Changes the last entry of a log as only the owner of the table can, past the triggers that keep others from it. */
async function change(log: string, how: (entry: LogEntry) => unknown): Promise<() => Promise<void>> {
  const { system } = server.context.db;
  const { entry, position } = await system
    .selectFrom('duty_entry')
    .select(['entry', 'position'])
    .where('log', '=', log)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const write = (text: string) =>
    system.transaction().execute(async trx => {
      await sql`alter table duty_entry disable trigger user`.execute(trx);
      await sql`update duty_entry set entry = ${text}, content = sha256(convert_to(${text}, 'UTF8')) where log = ${log} and position = ${position}`.execute(
        trx,
      );
      await sql`alter table duty_entry enable trigger user`.execute(trx);
    });
  await write(JSON.stringify(how(JSON.parse(entry) as LogEntry)));
  return () => write(entry);
}

it('[R2.14] a vehicle whose log contradicts itself says since when and why, and all is recorded once that is repaired', async () => {
  const now = Math.floor(Date.now() / 1000) * 1000;
  const { desk, me, otherId } = await fleet(now);
  const log = `driver:${me.driverId}`;
  const warned = vi.spyOn(server.context.log, 'error');
  const { health } = server.context;
  expect((await health.report()).checks.logbook).toBe('ok');

  const repair = await change(log, entry => ({ ...entry, recordedAt: 1 }));
  await drive(me, now - 40 * MINUTE, 50);
  await drive(me, now - 30 * MINUTE, 0);
  for (let look = 0; look < 3; look++) await server.recorder.look(now);
  // Said once, though it was tried more often; the server counts as healthy, since a restart would not help.
  const about = warned.mock.calls.filter(([what]) => JSON.stringify(what).includes('"vehicleId"'));
  expect(about).toHaveLength(1);
  const report = await health.report();
  expect(report).toMatchObject({ status: 'ok', checks: { logbook: expect.stringContaining('1 vehicle') } });

  const rows = await boardRows(desk.token);
  const standing = { since: expect.any(String), why: 'own-log', signIn: null };
  expect(rows.find(({ driverId }) => driverId === me.driverId)?.standing).toEqual(standing);
  expect(rows.find(({ driverId }) => driverId === otherId)?.standing).toBeNull();
  const date = new Date(now).toISOString().slice(0, 10);
  const path = readLogDay.path.replace('{driverId}', me.driverId).replace('{date}', date);
  const day = await server.call('GET', path, { token: desk.token });
  expect([day.status, day.body]).toMatchObject([200, { standing }]);
  const phone = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
  expect([phone.status, (phone.body as MyDuty).row?.standing]).toEqual([200, standing]);
  // What the driver enters now is neither taken nor lost: their phone keeps it.
  const entered = { id: randomUUID(), at: new Date(now).toISOString(), action: { kind: 'confirm' } };
  const sent = await server.call('POST', '/api/v1/eld/duty', { token: me.token, body: { inputs: [entered] } });
  expect([sent.status, sent.body]).toMatchObject([409, { code: 'log-broken' }]);

  await repair();
  await expect
    .poll(async () => {
      await server.recorder.look(now);
      return (await health.report()).checks.logbook;
    })
    .toBe('ok');
  const [row] = (await boardRows(desk.token)).filter(({ driverId }) => driverId === me.driverId);
  expect(row).toMatchObject({ standing: null, status: 'ON', since: new Date(now - 24 * MINUTE + 3000).toISOString() });
});

it('[R2.14] the co-driver and the next driver of a vehicle are told of a log that is not theirs, and of any other failure', async () => {
  const now = Math.floor(Date.now() / 1000) * 1000;
  const { desk, me } = await fleet(now);
  const { system } = server.context.db;
  const fold = system.updateTable('recorder_fold').where('vehicle_id', '=', Number(me.vehicleId));
  const since = new Date(now - 5 * MINUTE);
  const mine = async () => (await boardRows(desk.token)).find(({ driverId }) => driverId === me.driverId)?.standing;
  await fold.set({ failing_since: since, failing_code: 'broken-log', failing_log: 'driver:0' }).execute();
  expect(await mine()).toEqual({ since: since.toISOString(), why: 'others-log', signIn: null });
  await fold.set({ failing_code: 'error', failing_log: null }).execute();
  expect(await mine()).toEqual({ since: since.toISOString(), why: 'error', signIn: null });
  // Nothing has come for the vehicle since, and it is tried again all the same.
  await server.recorder.look(now);
  expect(await mine()).toBeNull();
});

it('[R2.14] the next driver who signs in to a vehicle that can’t be recorded is at the desk, since when and why', async () => {
  const now = Math.floor(Date.now() / 1000) * 1000;
  const { desk, me } = await fleet(now);
  const next = await userWithData(server, { role: 'driver', drives: true, accountId: me.accountId });
  const { system } = server.context.db;
  await system
    .insertInto('log_setting')
    .values({ account_id: me.accountId, driver_id: Number(next.driverId), keeps_log: true })
    .execute();
  // Anyone's to drive.
  await system.updateTable('vehicle').set({ folder_id: null }).where('id', '=', Number(me.vehicleId)).execute();
  await server.context.feed.settled();
  const repair = await change(`driver:${me.driverId}`, entry => ({ ...entry, recordedAt: 1 }));
  await drive(me, now - 40 * MINUTE, 0);
  await server.recorder.look(now);

  const at = new Date(now - 10 * MINUTE).toISOString();
  const enter = (action: object, when = at) => {
    const inputs = [{ id: randomUUID(), at: when, action }];
    return () => server.call('POST', '/api/v1/eld/duty', { token: next.token, body: { inputs } });
  };
  const signIn = enter({ kind: 'sign-in', vehicleId: me.vehicleId });
  expect(await signIn()).toMatchObject({ status: 409, body: { code: 'log-broken' } });
  expect((await enter({ kind: 'sign-in', vehicleId: me.vehicleId }, new Date(now).toISOString())()).status).toBe(409);
  await server.context.feed.settled();
  const { name } = await system
    .selectFrom('vehicle')
    .select('name')
    .where('id', '=', Number(me.vehicleId))
    .executeTakeFirstOrThrow();
  const row = async () => (await boardRows(desk.token)).find(({ driverId }) => driverId === next.driverId);
  const standing = { since: at, why: 'others-log', signIn: name };
  expect(await row()).toMatchObject({ standing, vehicle: { id: me.vehicleId, deviceName: name } });
  const phone = await server.call('GET', '/api/v1/eld/my_duty', { token: next.token });
  expect((phone.body as MyDuty).row.standing).toEqual(standing);

  // A phone that is lost leaves it there: the desk dismisses it, with a reason.
  const path = dismissSignIn.path.replace('{driverId}', next.driverId);
  const boss = await signedIn(server, { accountId: me.accountId, role: 'owner' });
  const dismiss = (reason: string) => server.call('POST', path, { token: boss.token, body: { reason } });
  expect((await dismiss('no')).status).toBe(400);
  expect((await dismiss('Phone lost in Joliet')).status).toBe(200);
  expect((await row())?.standing).toBeNull();
  expect((await dismiss('Phone lost in Joliet')).status).toBe(404);
  const entry = await system
    .selectFrom('audit_entry')
    .select(['target_name', 'changes'])
    .where('account_id', '=', me.accountId)
    .where('action', '=', 'log.sign-in-dismissed')
    .executeTakeFirstOrThrow();
  expect(entry).toEqual({
    target_name: expect.any(String),
    changes: [
      { field: 'vehicle', from: name, to: null },
      { field: 'at', from: at, to: null },
      { field: 'reason', from: null, to: 'Phone lost in Joliet' },
    ],
  });
  // The phone is found: its sign-in waits again, since the time it was made.
  expect((await signIn()).status).toBe(409);
  await server.context.feed.settled();
  expect((await row())?.standing).toEqual(standing);

  await repair();
  // The phone sends it again; the server tries a vehicle that failed ever later.
  await expect.poll(async () => (await signIn()).status).toBe(200);
  expect(await row()).toMatchObject({ standing: null, vehicle: { id: me.vehicleId } });
});
