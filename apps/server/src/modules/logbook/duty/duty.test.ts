import { randomUUID } from 'node:crypto';
import { type MyDuty, myDutySchema, PERMISSIONS, type Permission, ROLES, type Role } from '@milepost/contract';
import { fromMilesPerHour } from '@milepost/units';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { manyUsers } from '../../../../testing/cross-account/many-users.ts';
import { signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { testImei } from '../../../../testing/imei.ts';
import { addNamedVehicle } from '../../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';

const MINUTE = 60_000;
let serial = 0;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

interface Answer {
  readonly outcomes: readonly { readonly id: string; readonly result: string; readonly refusal: string | null }[];
  readonly duty: MyDuty;
}

const newDriver = manyUsers(() => server, { role: 'driver', drives: true });

async function driver({
  accountId,
}: {
  accountId?: number;
} = {}): Promise<UserWithData & { send(...actions: readonly [number, object][]): Promise<Answer> }> {
  const me =
    accountId === undefined
      ? await newDriver()
      : await userWithData(server, { role: 'driver', drives: true, accountId });
  await server.context.db.system
    .insertInto('log_setting')
    .values({ account_id: me.accountId, driver_id: Number(me.driverId), keeps_log: true, personal_use: true })
    .execute();
  return { ...me, send: (...actions) => sendAs(me.token, actions) };
}

async function sendAs(token: string, actions: readonly (readonly [number, object])[]): Promise<Answer> {
  const inputs = actions.map(([at, action]) => ({ id: randomUUID(), at: new Date(at).toISOString(), action }));
  const answer = await server.call('POST', '/api/v1/eld/duty', { token, body: { inputs } });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.body as Answer;
}

/** A driver of the same account and vehicle who has never had a status. */
async function newcomer(): Promise<Awaited<ReturnType<typeof driver>>> {
  const { accountId, vehicleId, ...other } = await userWithData(server, { drives: true });
  const { system } = server.context.db;
  const user = await signedIn(server, { accountId, role: 'driver' });
  const { id } = await system
    .insertInto('driver')
    .values({ account_id: accountId, name: 'Newcomer', user_id: user.userId })
    .returning('id')
    .executeTakeFirstOrThrow();
  const settings = { account_id: accountId, driver_id: id, keeps_log: true, personal_use: true };
  await system.insertInto('log_setting').values(settings).execute();
  await system.updateTable('vehicle').set({ folder_id: null }).where('id', '=', Number(vehicleId)).execute();
  await server.context.feed.settled();
  const me = { ...other, ...user, accountId, vehicleId, driverId: String(id) };
  return { ...me, send: (...actions) => sendAs(me.token, actions) };
}

const drive = (me: UserWithData, at: number, mph: number) =>
  storePositions(server, me.accountId, Number(me.vehicleId), [
    receivedPosition(at, { speed: fromMilesPerHour(mph), ignition: true }),
  ]);

/** As the database does for a position that ingest finds to be late. */
const markLate = ({ accountId, vehicleId }: UserWithData, at: number) =>
  server.context.db.system
    .insertInto('recorder_late')
    .values({ account_id: accountId, vehicle_id: Number(vehicleId), from_at: new Date(at) })
    .execute();

describe('[R2.14] a driver’s calls', () => {
  it('record a day: in, on duty, driving by the vehicle, a break, personal use, out', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const [t0, t1] = [now - 50 * MINUTE, now - 45 * MINUTE];
    const first = await me.send(
      [t0, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [t1, { kind: 'status', status: 'ON', note: '' }],
      [t1, { kind: 'load', trailers: '53017', shippingDocument: 'BOL 9' }],
    );
    expect(first.outcomes.map(({ refusal, result }) => refusal ?? result)).toEqual(['taken', 'taken', 'taken']);
    expect(first.duty.vehicle?.id).toBe(me.vehicleId);
    await drive(me, now - 40 * MINUTE, 50);
    await drive(me, now - 20 * MINUTE, 0);
    const then = await me.send(
      [now - 18 * MINUTE, { kind: 'status', status: 'OFF', note: '' }],
      [now - 10 * MINUTE, { kind: 'status', status: 'PC', note: '' }],
      [now - 5 * MINUTE, { kind: 'sign-out', status: 'SB' }],
    );
    expect(then.outcomes.map(({ refusal, result }) => refusal ?? result)).toEqual(['taken', 'taken', 'taken']);
    expect(myDutySchema.safeParse(then.duty).error).toBeUndefined();
    // Not of days: the terminal's midnight may be any of these minutes.
    const inTurn = then.duty.dutyLog.segments
      .filter(({ start }) => Date.parse(start) >= t1)
      .map(({ status }) => status);
    expect(inTurn).toEqual(['D', 'OFF', 'PC', 'SB']);
    expect(then.duty).toMatchObject({ vehicle: null, row: { status: 'SB' } });
  });

  it('show that the vehicle stands, and the question after five minutes, though the tracker reports no more', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    await me.send([now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }]);
    await drive(me, now - 40 * MINUTE, 50);
    await drive(me, now - 5.5 * MINUTE, 0);
    await server.recorder.look(now);
    const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
    expect(body).toMatchObject({
      ...{ row: { status: 'D' }, vehicle: { isMoving: false } },
      question: { kind: 'still-driving', askedAt: new Date(now - 0.5 * MINUTE + 3000).toISOString() },
    });
  });

  it('of two drivers of a vehicle at once are both recorded, whichever is committed first', async () => {
    const me = await driver();
    const next = await driver({ accountId: me.accountId });
    const { pool, system } = server.context.db;
    await system.updateTable('vehicle').set({ folder_id: null }).where('id', '=', Number(me.vehicleId)).execute();
    await server.context.feed.settled();
    const now = Math.floor(Date.now() / 1000) * 1000;
    await me.send(
      [now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 45 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
    );
    // The first driver's entry has its number and waits; the second one's has the next number and is faster.
    await pool.query(`create function slow_input() returns trigger language plpgsql as
      $$ begin perform pg_sleep(1); return null; end $$`);
    await pool.query(`create trigger slow_input after insert on duty_input for each row
      when (new.driver_id = ${Number(me.driverId)}) execute function slow_input()`);
    const slow = me.send([now - 20 * MINUTE, { kind: 'status', status: 'SB', note: '' }]);
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`,
        );
        return rows.length;
      })
      .toBe(1);
    const fast = await next.send([now - 5 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }]);
    await slow;
    await pool.query('drop trigger slow_input on duty_input');
    expect(fast.outcomes).toMatchObject([{ result: 'taken' }]);
    const { rows } = await pool.query(`select entry from duty_entry where log = $1 order by position`, [
      `driver:${me.driverId}`,
    ]);
    const statuses = rows
      .map(({ entry }) => JSON.parse(entry))
      .flatMap(({ event }) => (event?.type === 1 ? event.code : []));
    // The sleeper berth, though the other driver's entry has a later number and was committed before.
    expect(statuses.at(-1)).toBe(2);
  });

  it('know the status that another vehicle is recording while they sign in to the next one', async () => {
    const me = await driver();
    const { pool, system } = server.context.db;
    const next = await addNamedVehicle(server, me.accountId, '4128');
    await server.context.feed.settled();
    const now = Math.floor(Date.now() / 1000) * 1000;
    await me.send(
      [now - 180 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 179 * MINUTE, { kind: 'status', status: 'OFF', note: '' }],
    );
    await drive(me, now - 120 * MINUTE, 50);
    await drive(me, now - 90 * MINUTE, 0);
    const [recorded, committed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const recording = server.context.db.asAccount(me.accountId, async trx => {
      await server.recorder.record(trx, me.accountId, Number(me.vehicleId), now);
      recorded.resolve();
      await committed.promise;
    });
    await recorded.promise;
    const signedIn = me.send(
      [now - 30 * MINUTE, { kind: 'sign-in', vehicleId: next.id }],
      [now - 29 * MINUTE, { kind: 'status', status: 'OFF', note: '' }],
    );
    await expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
        );
        return rows.length;
      })
      .toBeGreaterThan(0);
    committed.resolve();
    await recording;
    expect((await signedIn).outcomes).toMatchObject([{ refusal: null }, { refusal: null }]);
    const { terms } = await system
      .selectFrom('duty_input')
      .select('terms')
      .where('vehicle_id', '=', Number(next.id))
      .where('terms', 'is not', null)
      .orderBy('seq')
      .executeTakeFirstOrThrow();
    expect(terms).toMatchObject({ elsewhere: { status: 'ON', at: now - 84 * MINUTE + 3000 } });
    // What was entered stays when the vehicle is recorded again.
    await markLate({ ...me, vehicleId: String(next.id) }, now - 30 * MINUTE);
    await server.recorder.look(now);
    const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
    expect((body as MyDuty).row).toMatchObject({ status: 'OFF', since: new Date(now - 29 * MINUTE).toISOString() });
  });

  it('take each input once, and answer a refusal with its code', async () => {
    const me = await driver();
    const now = Date.now();
    const id = randomUUID();
    const inputs = [
      { id, at: new Date(now - MINUTE).toISOString(), action: { kind: 'sign-in', vehicleId: me.vehicleId } },
      { id: randomUUID(), at: new Date(now - MINUTE).toISOString(), action: { kind: 'confirm' } },
    ];
    const send = () => server.call('POST', '/api/v1/eld/duty', { token: me.token, body: { inputs } });
    expect(((await send()).body as Answer).outcomes).toMatchObject([
      { result: 'taken' },
      { result: 'refused', refusal: 'nothing-asked', reason: 'There is no question to answer.' },
    ]);
    expect(((await send()).body as Answer).outcomes).toMatchObject([{ result: 'known' }, { result: 'refused' }]);
    const { rows } = await server.context.db.pool.query(
      `select count(*)::int as count from duty_entry where log = $1 and entry like '%"type":5%'`,
      [`driver:${me.driverId}`],
    );
    expect(rows[0]).toEqual({ count: 1 });
  });

  it('certify a day, edit with a reason, and claim unidentified driving', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const { duty } = await me.send(
      [now - 90 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 89 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
      [now - 80 * MINUTE, { kind: 'sign-out', status: 'OFF' }],
    );
    const on = duty.days
      .flatMap(({ records }) => records)
      .find(({ status, origin }) => status === 'ON' && origin === 'driver');
    const edited = await me.send([
      now,
      {
        ...{ kind: 'edit', replaces: on?.id, status: 'SB', reason: 'Slept in the berth' },
        at: new Date(now - 89 * MINUTE).toISOString(),
      },
    ]);
    expect(edited.outcomes).toMatchObject([{ result: 'taken' }]);

    await drive(me, now - 58 * MINUTE, 45);
    await drive(me, now - 40 * MINUTE, 0);
    await server.recorder.look(now);
    const again = await me.send([now - 10 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }]);
    const [unclaimed] = again.duty.unclaimed;
    expect(unclaimed).toMatchObject({ vehicleId: me.vehicleId, isAssigned: false });
    const claimed = await me.send([
      now,
      { kind: 'claim', vehicleId: me.vehicleId, record: unclaimed?.record, mine: true },
    ]);
    expect(claimed.outcomes).toMatchObject([{ result: 'taken', refusal: null }]);
    expect(claimed.duty.unclaimed).toEqual([]);
    // The terminal’s midnight may be in between.
    expect(claimed.duty.days.reduce((sum, { totals }) => sum + totals.D, 0)).toBeGreaterThanOrEqual(20 * 60);

    const certified = await server.call('POST', '/api/v1/eld/certify', {
      token: me.token,
      body: { dates: ['2026-02-03'] },
    });
    expect(certified.body).toMatchObject({ certified: ['2026-02-03'] });
    const again2 = await server.call('POST', '/api/v1/eld/certify', {
      token: me.token,
      body: { dates: ['2026-02-03'] },
    });
    expect(again2.body).toMatchObject({ certified: [] });
    const today = await server.call('POST', '/api/v1/eld/certify', {
      token: me.token,
      body: { dates: [new Date(now + 24 * 60 * MINUTE).toISOString().slice(0, 10)] },
    });
    expect([today.status, today.body]).toMatchObject([409, { code: 'log-refused' }]);
  });

  it('go on with the rest that a claimed drive interrupts, as the phone sends it', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    await me.send(
      [now - 90 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 80 * MINUTE, { kind: 'sign-out', status: 'SB' }],
    );
    await drive(me, now - 58 * MINUTE, 45);
    await drive(me, now - 40 * MINUTE, 0);
    await server.recorder.look(now);
    const { duty } = await me.send([now - 5 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }]);
    const [drove] = duty.unclaimed;
    const end = Date.parse(drove?.to ?? '');
    const again = { kind: 'edit', replaces: null, status: 'SB', reason: 'Rest continued after this drive' };
    const claimed = await me.send(
      [now, { kind: 'claim', vehicleId: me.vehicleId, record: drove?.record, mine: true }],
      [now, { ...again, at: new Date(end + 1000).toISOString() }],
    );
    expect(claimed.outcomes.map(({ refusal }) => refusal)).toEqual([null, null]);
    const last = claimed.duty.dutyLog.segments.slice(-4).map(({ start, status }) => [status, Date.parse(start)]);
    expect(last.slice(-3)).toEqual([
      ['D', Date.parse(drove?.from ?? '')],
      ['ON', end],
      ['SB', end + 1000],
    ]);
  });

  it('report and review an inspection, and declare an exception', async () => {
    const me = await driver();
    const now = Date.now();
    const defects = [{ part: 'tires', unit: 'vehicle', what: 'Left rear is flat', affectsSafety: true, photos: [] }];
    const sent = await me.send(
      [now - 3 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 2 * MINUTE, { kind: 'inspect', vehicleId: me.vehicleId, when: 'pre-trip', trailers: '', defects }],
      [now - MINUTE, { kind: 'declare', exception: 'adverseDriving', reason: 'Sudden snow' }],
    );
    expect(sent.outcomes.map(({ refusal, result }) => refusal ?? result)).toEqual(['taken', 'taken', 'taken']);
    expect(sent.duty.inspection).toMatchObject({ state: 'reported', mayBeDriven: false, defects });
    expect(sent.duty.dutyLog.declarations).toMatchObject([{ exception: 'adverseDriving' }]);
    const desk = await userWithData(server, { accountId: me.accountId });
    const date = sent.duty.days[0]?.date;
    const day = await server.call('GET', `/api/v1/eld/log/${me.driverId}/${date}`, { token: desk.token });
    expect(day.body).toMatchObject({ declarations: [{ exception: 'adverseDriving', reason: 'Sudden snow' }] });
    const { outcomes } = await me.send([now, { kind: 'review-inspection', report: sent.duty.inspection?.id }]);
    expect(outcomes).toMatchObject([{ refusal: 'certification-missing' }]);
  });

  it('[R2.16] still see a defect that nobody has repaired when a later inspection found none', async () => {
    const me = await driver();
    const now = Date.now();
    const defects = [{ part: 'tires', unit: '53118', what: 'Flat', affectsSafety: true, photos: [] }];
    const inspect = { kind: 'inspect', vehicleId: me.vehicleId, trailers: '53117,53118' };
    const sent = await me.send(
      [now - 5 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 4 * MINUTE, { kind: 'load', trailers: '53117,53118', shippingDocument: 'BOL 9' }],
      [now - 3 * MINUTE, { ...inspect, when: 'post-trip', defects }],
      [now - 2 * MINUTE, { ...inspect, when: 'pre-trip', defects: [] }],
    );
    expect(sent.outcomes.map(({ refusal, result }) => refusal ?? result)).toEqual(Array(4).fill('taken'));
    expect(sent.duty.inspection).toMatchObject({ state: 'reported', mayBeDriven: false, defects });
    // A mechanic certifies; the next driver reviews. Both sides see who did what.
    const desk = await userWithData(server, { accountId: me.accountId });
    const report = sent.duty.inspection?.id ?? '';
    const certify = (token: string) =>
      server.call('POST', `/api/v1/eld/inspection/${report}`, { token, body: { repaired: true } });
    expect((await certify(me.token)).status).toBe(403);
    expect((await certify(desk.token)).body).toMatchObject({ state: 'repaired', mayBeDriven: true });
    const reviewed = await me.send([Date.now() + MINUTE, { kind: 'review-inspection', report }]);
    expect(reviewed.outcomes.map(({ refusal, result }) => refusal ?? result)).toEqual(['taken']);
    const { body } = await server.call('GET', '/api/v1/eld/inspection', { token: desk.token });
    expect((body as unknown as { readonly id: string }[]).find(({ id }) => id === report)).toMatchObject({
      ...{ state: 'reviewed', certifiedBy: { name: expect.any(String) }, reviewedBy: { name: expect.any(String) } },
    });
  });

  it('declare what their rules have, once a shift: log, clocks and desk follow', async () => {
    const me = await driver();
    const now = Date.now();
    const declare = (exception: string, minutes: number) =>
      [now - minutes * MINUTE, { kind: 'declare', exception, reason: 'Sudden snow' }] as [number, object];
    const limits = ({ duty }: Awaited<ReturnType<typeof me.send>>) => [
      duty.row.clocks.drive.limitS / 3600,
      duty.row.clocks.window.limitS / 3600,
      duty.row.clocks.break !== null,
    ];
    const before = await me.send(
      [now - 100 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 90 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
    );
    expect(limits(before)).toEqual([11, 14, true]);
    const adverse = await me.send(declare('adverseDriving', 80), declare('adverseDriving', 70));
    expect(adverse.outcomes.map(({ refusal }) => refusal)).toEqual([null, 'already-exempt']);
    expect(limits(adverse)).toEqual([13, 16, true]);
    const others = await me.send(
      declare('sixteenHourException', 60),
      declare('shortHaul', 50),
      declare('deferral', 40),
    );
    expect(others.outcomes.map(({ refusal }) => refusal)).toEqual([null, null, 'no-such-exemption']);
    expect(limits(others)).toEqual([13, 16, false]);
    const { system } = server.context.db;
    await system
      .updateTable('log_setting')
      .set({ rule_set: 'US_CALIFORNIA_INTRASTATE_80_8' })
      .where('driver_id', '=', Number(me.driverId))
      .execute();
    const elsewhere = await me.send(declare('shortHaul', 30), declare('agriculture', 20));
    expect(elsewhere.outcomes.map(({ refusal }) => refusal)).toEqual(['no-such-exemption', 'no-such-exemption']);
    // The adverse conditions that were declared before, by California's rule.
    expect(limits(elsewhere).slice(0, 2)).toEqual([14, 16]);
  });

  it('declare an exemption and end it: no limit applies in between', async () => {
    const me = await driver();
    const now = Date.now();
    const names = (one: Awaited<ReturnType<typeof me.send>>) =>
      one.outcomes.map(({ refusal, result }) => refusal ?? result);
    const declared = await me.send(
      [now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 45 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
      [now - 40 * MINUTE, { kind: 'declare', exception: 'agriculture', reason: 'Corn to the elevator' }],
      [now - 30 * MINUTE, { kind: 'declare', exception: 'agriculture', reason: 'Corn to the elevator' }],
      [now - 30 * MINUTE, { kind: 'end-exemption', exception: 'emergencyRelief' }],
      [now - 30 * MINUTE, { kind: 'end-exemption', exception: 'adverseDriving' }],
    );
    expect(names(declared)).toEqual(['taken', 'taken', 'taken', 'already-exempt', 'not-exempt', 'not-an-entry']);
    expect(declared.duty.row.exempt).toBe('agriculture');
    const desk = await userWithData(server, { accountId: me.accountId });
    const date = declared.duty.days[0]?.date;
    const shown = () => server.call('GET', `/api/v1/eld/log/${me.driverId}/${date}`, { token: desk.token });
    expect((await shown()).body).toMatchObject({ exempt: 'agriculture' });
    const ended = await me.send([now - 20 * MINUTE, { kind: 'end-exemption', exception: 'agriculture' }]);
    expect(names(ended)).toEqual(['taken']);
    expect(ended.duty.row.exempt).toBeNull();
    expect(ended.duty.dutyLog.declarations).toMatchObject([
      { start: new Date(now - 40 * MINUTE).toISOString(), end: new Date(now - 20 * MINUTE).toISOString() },
    ]);
    expect((await shown()).body).toMatchObject({
      exempt: null,
      declarations: [{ exception: 'agriculture', to: new Date(now - 20 * MINUTE).toISOString() }],
    });
  });

  it('keep personal use of a driver without a status, from a phone that had no network, and hide it for its time', async () => {
    const me = await newcomer();
    const { accountId } = me;
    const row = { account_id: accountId, name: 'privatePersonalUse', value: 'true' };
    await server.context.db.system.insertInto('account_setting').values(row).execute();
    const { privateTime } = server.organisation;
    await privateTime.settled();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const sent = await me.send(
      [now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 45 * MINUTE, { kind: 'status', status: 'PC', note: '' }],
      [now - 20 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
    );
    expect(sent.outcomes.map(({ refusal }) => refusal)).toEqual([null, null, null]);
    const statuses = sent.duty.dutyLog.segments.map(({ start, status }) => [
      status,
      (now - Date.parse(start)) / MINUTE,
    ]);
    expect(statuses).toEqual([
      ['PC', 45],
      ['ON', 20],
    ]);
    const records = sent.duty.days.flatMap(day => day.records).map(({ code, type }) => `${type}/${code}`);
    expect(records.filter(one => one.startsWith('1/')).toSorted()).toEqual(['1/1', '1/4']);
    await privateTime.settled();
    const hidden = [48, 40, 21, 15].map(minutes =>
      privateTime.hides({ id: Number(me.vehicleId), accountId }, now - minutes * MINUTE, null),
    );
    expect(hidden).toEqual([false, true, true, false]);
  });

  it('in one request make the log that they make one by one, with fewer corrections, and each counts once', async () => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    const status = (name: string) => ({ kind: 'status', status: name, note: '' });
    /** The phone had no network while the vehicle was driven and nobody knew of its breaks. */
    const told = async (isAtOnce: boolean) => {
      const me = await newcomer();
      await me.send([now - 58 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }]);
      for (const minutes of [50, 40, 30, 20, 10]) {
        await drive(me, now - minutes * MINUTE, 50);
        await drive(me, now - (minutes - 2) * MINUTE, 0);
      }
      await server.recorder.look(now);
      const breaks: [number, object][] = [47, 37, 27, 17].map((minutes, nth) => [
        now - minutes * MINUTE,
        status(nth % 2 === 0 ? 'OFF' : 'SB'),
      ]);
      const requests = isAtOnce ? [breaks] : breaks.map(one => [one]);
      const refusals: (string | null)[] = [];
      for (const request of requests) {
        refusals.push(...(await me.send(...request)).outcomes.map(({ refusal }) => refusal));
      }
      expect(refusals).toEqual([null, null, null, null]);
      const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
      const { dutyLog } = body as MyDuty;
      const { rows } = await server.context.db.pool.query<{ n: number }>(
        'select count(*)::int as n from duty_entry where log = $1',
        [`driver:${me.driverId}`],
      );
      const segments = dutyLog.segments.map(one => `${one.status} ${(now - Date.parse(one.start)) / MINUTE}`);
      return { segments, entries: rows[0]?.n ?? 0 };
    };
    const [atOnce, oneByOne] = [await told(true), await told(false)];
    expect(atOnce.segments).toEqual(oneByOne.segments);
    expect(atOnce.segments).toContain('SB 37');
    expect(atOnce.entries).toBeLessThanOrEqual(oneByOne.entries);

    const me = await driver();
    const input = { id: randomUUID(), at: new Date(now).toISOString() };
    const inputs = [
      { ...input, action: { kind: 'sign-in', vehicleId: me.vehicleId } },
      { ...input, action: { kind: 'sign-in', vehicleId: me.vehicleId } },
    ];
    const { body } = await server.call('POST', '/api/v1/eld/duty', { token: me.token, body: { inputs } });
    expect((body as Answer).outcomes.map(({ refusal }) => refusal)).toEqual([null, null]);
    const { rows } = await server.context.db.pool.query<{ n: number }>(
      'select count(*)::int as n from duty_input where id = $1',
      [input.id],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  it('outside of a vehicle stay when its tracker reports late, also in the second of signing out', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    // A phone whose clock was ahead: all that follows has the time at which the server answered.
    const out = now - 20 * MINUTE;
    const { outcomes } = await me.send(
      [now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 45 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
      [out, { kind: 'sign-out', status: 'OFF' }],
      [out, { kind: 'status', status: 'SB', note: '' }],
    );
    expect(outcomes.map(({ refusal }) => refusal)).toEqual([null, null, null, null]);
    await drive(me, now - 47 * MINUTE, 0);
    await markLate(me, now - 47 * MINUTE);
    await server.recorder.look(now);
    const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
    const { dutyLog } = body as MyDuty;
    expect(dutyLog.segments.map(({ status }) => status)).toEqual(['ON', 'SB']);
  });

  it('that begin a vehicle’s log lose no report that comes late while they are recorded', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    await drive(me, now - 20 * MINUTE, 0);
    const { recorder } = server;
    const record = recorder.record;
    vi.spyOn(recorder, 'record').mockImplementationOnce(async (...given) => {
      const outcome = await record(...given);
      await drive(me, now - 40 * MINUTE, 50);
      await drive(me, now - 30 * MINUTE, 0);
      return outcome;
    });
    await me.send([now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }]);
    await recorder.look(now);
    const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
    const driven = (body as MyDuty).dutyLog.segments.filter(({ status }) => status === 'D');
    expect(driven).toEqual([expect.objectContaining({ start: new Date(now - 40 * MINUTE).toISOString() })]);
  });

  it('that begin a vehicle’s log lose no late report that was being stored then and is committed after a look', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    await drive(me, now - 20 * MINUTE, 0);
    const { db } = server.context;
    const isStored = Promise.withResolvers<void>();
    const isLooked = Promise.withResolvers<void>();
    const storing = db.system.transaction().execute(async system => {
      const context = { ...server.context, db: { ...db, system } };
      await storePositions({ context, live: server.live }, me.accountId, Number(me.vehicleId), [
        receivedPosition(now - 40 * MINUTE, { speed: fromMilesPerHour(50), ignition: true }),
        receivedPosition(now - 30 * MINUTE, { ignition: true }),
      ]);
      isStored.resolve();
      await isLooked.promise;
    });
    await isStored.promise;
    await me.send([now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }]);
    await server.recorder.look(now);
    await server.recorder.look(now);
    isLooked.resolve();
    await storing;
    // Transactions of other databases of this server count, too: the mark may wait for those of other tests.
    await vi.waitFor(async () => {
      await server.recorder.look(now);
      const marks = await db.system
        .selectFrom('recorder_late')
        .select('id')
        .where('vehicle_id', '=', Number(me.vehicleId))
        .execute();
      expect(marks).toEqual([]);
    }, 30_000);
    const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
    const driven = (body as MyDuty).dutyLog.segments.filter(({ status }) => status === 'D');
    expect(driven).toEqual([expect.objectContaining({ start: new Date(now - 40 * MINUTE).toISOString() })]);
  });

  it('are answered by one reading of the driver’s log and one of the vehicle’s unidentified driving', async () => {
    const me = await newcomer();
    const now = Math.floor(Date.now() / 1000) * 1000;
    await me.send([now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }]);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await me.send([now - 40 * MINUTE, { kind: 'status', status: 'ON', note: '' }]);
    const asked = query.mock.calls as unknown as readonly (readonly [text: string, values?: readonly unknown[]])[];
    query.mockRestore();
    const readings = asked.filter(([text]) => text.startsWith('select "log", "position", "entry" from "duty_entry"'));
    expect(readings.map(([, values]) => values?.[0])).toEqual([
      `driver:${me.driverId}`,
      `unidentified:${me.vehicleId}`,
    ]);
  });

  it('of one second in one request count in their order, also after one that changes nothing', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const at = now - 20 * MINUTE;
    await me.send(
      [now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 45 * MINUTE, { kind: 'status', status: 'OFF', note: '' }],
    );
    const { duty, outcomes } = await me.send(
      [at, { kind: 'status', status: 'OFF', note: '' }],
      [at, { kind: 'status', status: 'SB', note: '' }],
    );
    expect(outcomes.map(({ refusal }) => refusal)).toEqual(['no-change', null]);
    expect(duty.row.status).toBe('SB');
    expect(duty.dutyLog.segments.at(-1)).toMatchObject({ status: 'SB', start: new Date(at).toISOString() });
  });

  // In a vehicle and outside of it, in the same second: whoever signs in next has the last of them.
  it.each([
    {
      name: 'outside, and the same one in the vehicle before',
      steps: ['in', 'out OFF', 'SB | ON', 'OFF', 'in', '+1 ON'],
      last: 'ON',
    },
    { name: 'in the vehicle', steps: ['in', 'out SB | ON', 'in', 'OFF', '+60 in', '+1 out ON'], last: 'ON' },
    {
      name: 'outside, as in the vehicle before',
      steps: ['in', '+9 ON', 'out OFF', 'ON | +60 in', 'out OFF'],
      last: 'OFF',
    },
    {
      name: 'in the vehicle, and again later',
      steps: ['in', '+9 SB', 'out OFF', 'SB', 'in', 'OFF', '+60 OFF', '+1 in | +60 out SB'],
      last: 'SB',
    },
    {
      name: 'in the vehicle, after the same one outside',
      steps: ['in', '+9 out ON | +60 OFF', 'in', 'PC'],
      last: 'PC',
    },
    { name: 'in the vehicle, without a change', steps: ['in', '+9 out OFF | +60 ON', 'in', 'ON'], last: 'ON' },
  ])('of one second are followed by what comes next, if the last was entered $name', async ({ last, steps }) => {
    const me = await driver();
    let at = Math.floor(Date.now() / 1000) * 1000 - 200 * MINUTE;
    const actionOf = (word: string): object => {
      if (word === 'in') return { kind: 'sign-in', vehicleId: me.vehicleId };
      const [kind, status] = word.split(' ');
      return kind === 'out' ? { kind: 'sign-out', status } : { kind: 'status', status: word, note: '' };
    };
    for (const request of steps.join(',').split(' | ')) {
      const inputs = request.split(',').map(step => {
        const [, minutes = '0', word = ''] = /^(?:\+(\d+) )?(.+)$/.exec(step) ?? [];
        at += Number(minutes) * MINUTE;
        return [at, actionOf(word)] as [number, object];
      });
      const { outcomes } = await me.send(...inputs);
      expect(outcomes.filter(({ refusal }) => refusal !== null && refusal !== 'no-change')).toEqual([]);
    }
    const segments = async () => {
      const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
      return (body as MyDuty).dutyLog.segments;
    };
    const shown = await segments();
    expect(shown.at(-1)).toMatchObject({ status: last, start: new Date(at).toISOString() });
    await markLate(me, at - 200 * MINUTE);
    await server.recorder.look(Date.now());
    expect(await segments()).toEqual(shown);
  });

  const IN = 'in';
  it.each([
    [
      [
        [
          [0, IN],
          [0, IN],
          [1, 'ON'],
          [1, 'PC'],
          [1, IN],
          [1, 'OFF'],
          [1, 'out OFF'],
          [1, 'ON'],
        ],
        [[1, IN]],
      ],
      ['ON'],
    ],
    [
      [
        [[0, IN]],
        [
          [0, 'SB'],
          [0, 'out SB'],
          [0, IN],
        ],
        [
          [9000, IN],
          [9000, 'out SB'],
          [9000, 'SB'],
          [9000, 'ON'],
        ],
      ],
      ['SB', 'ON'],
    ],
  ] as const)(
    'outside of a vehicle stay when what was entered in it in the same second is recorded anew: %j',
    async (requests, statuses) => {
      const me = await newcomer();
      const start = Math.floor(Date.now() / 1000) * 1000 - 20 * MINUTE;
      const actionOf = (word: string): object => {
        if (word === IN) return { kind: 'sign-in', vehicleId: me.vehicleId };
        const [kind, status] = word.split(' ');
        return kind === 'out' ? { kind: 'sign-out', status } : { kind: 'status', status: word, note: '' };
      };
      for (const request of requests) {
        await me.send(...request.map(([at, word]): [number, object] => [start + at, actionOf(word)]));
      }
      const shown = async () => {
        const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
        return (body as MyDuty).dutyLog.segments.map(({ status }) => status);
      };
      expect(await shown()).toEqual(statuses);
      await markLate(me, start);
      await server.recorder.look(Date.now());
      expect(await shown()).toEqual(statuses);
    },
  );

  it('in a vehicle that say again what an edit has changed stay when its tracker reports late', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const { duty } = await me.send(
      [now - 50 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      [now - 45 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
    );
    const on = duty.days.flatMap(({ records }) => records).find(({ type, code }) => type === 1 && code === 4);
    const edit = { kind: 'edit', replaces: on?.id, status: 'OFF', at: on?.at, reason: 'Was resting' };
    const { outcomes } = await me.send(
      [now - 30 * MINUTE, edit],
      [now - 20 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
    );
    expect(outcomes.map(({ refusal }) => refusal)).toEqual([null, null]);
    await drive(me, now - 47 * MINUTE, 0);
    await markLate(me, now - 47 * MINUTE);
    await server.recorder.look(now);
    const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
    const { dutyLog } = body as MyDuty;
    expect(dutyLog.segments.slice(-2).map(({ status, start }) => [status, Date.parse(start)])).toEqual([
      ['OFF', now - 45 * MINUTE],
      ['ON', now - 20 * MINUTE],
    ]);
  });

  it('of a clock that was never set begin no log, and the vehicle is not recorded from then on', async () => {
    const me = await newcomer();
    const now = Date.now();
    const [first, ...others] = (
      await me.send(
        [86_400_000, { kind: 'sign-in', vehicleId: me.vehicleId }],
        [86_400_000, { kind: 'declare', exception: 'agriculture', reason: 'Corn to the elevator' }],
        [86_400_000, { kind: 'status', status: 'ON', note: '' }],
        [now - MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }],
      )
    ).outcomes.map(({ refusal }) => refusal);
    expect([first, ...others]).toEqual(['too-long-ago', 'too-long-ago', 'too-long-ago', null]);
    const { rows } = await server.context.db.pool.query<{ day: string }>(
      'select day::text from recorder_day where vehicle_id = $1 order by day',
      [Number(me.vehicleId)],
    );
    expect(rows.every(({ day }) => day > '2026')).toBe(true);
  });

  it('are answered anew when a tracker reports later that the vehicle stood, or that it moved', async () => {
    const me = await driver();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const status = (name: string) => ({ kind: 'status', status: name, note: '' });
    await me.send([now - 55 * MINUTE, { kind: 'sign-in', vehicleId: me.vehicleId }], [now - 54 * MINUTE, status('ON')]);
    await drive(me, now - 50 * MINUTE, 50);
    const told = await me.send([now - 30 * MINUTE, status('OFF')], [now - 10 * MINUTE, { kind: 'confirm' }]);
    expect(told.outcomes.map(({ refusal }) => refusal)).toEqual(['in-motion', 'nothing-asked']);
    expect(told.duty.answers).toEqual([]);
    const mine = async () => {
      await server.recorder.look(now);
      const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
      return body as MyDuty;
    };
    await drive(me, now - 35 * MINUTE, 0);
    await markLate(me, now - 35 * MINUTE);
    const stood = await mine();
    expect(stood.answers).toEqual([{ id: told.outcomes[0]?.id, refusal: null, reason: null }]);
    expect([stood.row.status, stood.row.since]).toEqual(['OFF', new Date(now - 30 * MINUTE).toISOString()]);
    // It had only stood for a moment.
    await drive(me, now - 34 * MINUTE, 50);
    await markLate(me, now - 34 * MINUTE);
    const moved = await mine();
    expect(moved.answers).toMatchObject([{ id: told.outcomes[0]?.id, refusal: 'in-motion' }]);
    expect(moved.answers?.[0]?.reason).toBe('Stop the vehicle first.');
    expect(moved.row.status).toBe('D');
  });

  it('declare an exemption before any status: phone, board and log say the same, and it ends', async () => {
    const me = await newcomer();
    const now = Date.now();
    const desk = await signedIn(server, { accountId: me.accountId });
    const everywhere = async ({ duty }: Answer) => {
      const board = await server.call('GET', '/api/v1/eld/board', { token: desk.token });
      const { rows } = board.body as { rows: MyDuty['row'][] };
      const date = duty.days[0]?.date;
      const log = await server.call('GET', `/api/v1/eld/log/${me.driverId}/${date}`, { token: desk.token });
      const row = rows.find(({ driverId }) => driverId === me.driverId);
      const { exempt, clocks } = log.body as Pick<MyDuty['row'], 'exempt' | 'clocks'>;
      expect([exempt, clocks.drive, clocks.cycle]).toEqual([row?.exempt, row?.clocks.drive, row?.clocks.cycle]);
      return [duty.row.exempt, row?.exempt];
    };
    const declare = { kind: 'declare', exception: 'agriculture', reason: 'Corn to the elevator' };
    const declared = await me.send([now - 40 * MINUTE, declare], [now - 30 * MINUTE, declare]);
    expect(declared.outcomes.map(({ refusal }) => refusal)).toEqual([null, 'already-exempt']);
    expect(await everywhere(declared)).toEqual(['agriculture', 'agriculture']);
    const ended = await me.send([now - 20 * MINUTE, { kind: 'end-exemption', exception: 'agriculture' }]);
    expect(ended.outcomes.map(({ refusal }) => refusal)).toEqual([null]);
    expect(await everywhere(ended)).toEqual([null, null]);
  });

  it('are only for those who keep a log', async () => {
    const me = await userWithData(server, { role: 'driver', drives: true });
    const body = { inputs: [{ id: randomUUID(), at: new Date().toISOString(), action: { kind: 'confirm' } }] };
    const answer = await server.call('POST', '/api/v1/eld/duty', { token: me.token, body });
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'no-log' }]);
  });
});

describe('[R2.14] recording duty is the right of drivers', () => {
  /** What each kind of entry answers to the user who is linked to a driver with a log. */
  async function entriesOf(role: Role, permissions: readonly Permission[] | null = null) {
    const me = await userWithData(server, { role, drives: true });
    const { system } = server.context.db;
    await system
      .insertInto('log_setting')
      .values({ account_id: me.accountId, driver_id: Number(me.driverId), keeps_log: true })
      .execute();
    if (permissions) {
      const { id } = await system
        .insertInto('custom_role')
        .values({ account_id: me.accountId, name: 'Owner-operator', based_on: role, permissions: [...permissions] })
        .returning('id')
        .executeTakeFirstOrThrow();
      await system.updateTable('app_user').set({ custom_role_id: id }).where('id', '=', me.userId).execute();
      await server.context.feed.settled();
    }
    const record = randomUUID();
    const actions = [
      { kind: 'sign-in', vehicleId: me.vehicleId },
      { kind: 'status', status: 'ON', note: '' },
      { kind: 'edit', replaces: null, status: 'OFF', at: '2026-02-03T15:00:00Z', reason: 'Missing entry' },
      { kind: 'claim', vehicleId: me.vehicleId, record, mine: false },
      { kind: 'certify', dates: ['2026-02-03'] },
    ];
    const statuses: number[] = [];
    for (const action of actions) {
      const inputs = [{ id: randomUUID(), at: new Date().toISOString(), action }];
      statuses.push((await server.call('POST', '/api/v1/eld/duty', { token: me.token, body: { inputs } })).status);
    }
    const certified = await server.call('POST', '/api/v1/eld/certify', {
      token: me.token,
      body: { dates: ['2026-02-03'] },
    });
    const { rows } = await server.context.db.pool.query<{ count: number }>(
      'select count(*)::int as count from duty_input where driver_id = $1',
      [Number(me.driverId)],
    );
    return { me, statuses: new Set([...statuses, certified.status]), kept: rows[0]?.count };
  }

  it.each(ROLES.filter(role => role !== 'driver'))('not of a linked %s', async role => {
    const { statuses, kept } = await entriesOf(role);
    expect([[...statuses], kept]).toEqual([[403], 0]);
  });

  it.each(ROLES.filter(role => role !== 'driver' && role !== 'owner'))(
    'not of a %s whose own role has every other right',
    async role => {
      const { statuses, kept } = await entriesOf(
        role,
        PERMISSIONS.filter(permission => permission !== 'logbook.own'),
      );
      expect([[...statuses], kept]).toEqual([[403], 0]);
    },
  );

  it('of drivers, and of an admin who drives as well by a role that says so', async () => {
    for (const mine of [await entriesOf('driver'), await entriesOf('admin', [...PERMISSIONS])]) {
      expect([[...mine.statuses], mine.kept]).toEqual([[200], 5]);
    }
  });

  it('in their own log only: a driver reads and writes no other', async () => {
    const { me } = await entriesOf('driver');
    const other = await userWithData(server, { accountId: me.accountId });
    const path = `/api/v1/eld/log/${other.driverId}/2026-02-03`;
    expect((await server.call('GET', path, { token: me.token })).status).toBe(403);
    const body = { log: `driver:${other.driverId}`, record: randomUUID(), text: 'Not my log' };
    expect((await server.call('POST', '/api/v1/eld/annotate', { token: me.token, body })).status).toBe(403);
    const { text } = await server.call('GET', '/api/v1/eld/my_duty', { token: me.token });
    expect(text).not.toContain(other.marker);
  });

  it('with one account a license and one driver an account', async () => {
    const { me } = await entriesOf('driver');
    const other = await userWithData(server, { accountId: me.accountId });
    const { system } = server.context.db;
    const license = { licence_number: 'r234', licence_region: 'IL' };
    await system.updateTable('driver').set(license).where('id', '=', Number(me.driverId)).execute();
    const change = (set: object) => system.updateTable('driver').set(set).where('id', '=', Number(other.driverId));
    await expect(change({ licence_number: 'R234', licence_region: 'il' }).execute()).rejects.toThrow('driver_licence');
    await expect(change({ user_id: me.userId }).execute()).rejects.toThrow('driver_user');
  });

  it('with a login and a log in each of two accounts for a person who drives for both', async () => {
    const [here, there] = [await driver(), await driver()];
    const { system } = server.context.db;
    for (const { driverId } of [here, there]) {
      const same = { name: 'Ana Rivera', licence_number: 'R234-5678', licence_region: 'IL' };
      await system.updateTable('driver').set(same).where('id', '=', Number(driverId)).execute();
    }
    await server.context.feed.settled();
    const at = Date.now() - 10 * MINUTE;
    const worked = await here.send(
      [at, { kind: 'sign-in', vehicleId: here.vehicleId }],
      [at + MINUTE, { kind: 'status', status: 'ON', note: 'Here only' }],
    );
    expect(worked.duty.row.status).toBe('ON');
    // Neither the log nor the vehicle of one carrier is the other's.
    const rested = await there.send([at + 2 * MINUTE, { kind: 'sign-in', vehicleId: here.vehicleId }]);
    expect(rested.outcomes.map(({ refusal }) => refusal)).toEqual(['not-found']);
    expect(rested.duty.row.status).not.toBe('ON');
    expect(JSON.stringify(rested.duty)).not.toContain('Here only');
    expect(rested.duty.vehicles.map(({ id }) => id)).not.toContain(here.vehicleId);
    const path = `/api/v1/eld/log/${here.driverId}/2026-02-03`;
    expect((await server.call('GET', path, { token: there.token })).status).toBeGreaterThanOrEqual(403);
  });
});

describe('[R2.14] drivers sign in to vehicles they may drive', () => {
  /** A driver of one company, with a spare vehicle of it, one of another company, and one in no folder. */
  async function companies() {
    const me = await driver();
    const { system } = server.context.db;
    const account = { account_id: me.accountId };
    const inside = (parent: number | null, name: string) =>
      system
        .insertInto('folder')
        .values({ ...account, name, parent_id: parent })
        .returning('id')
        .executeTakeFirstOrThrow();
    const other = await inside(null, 'Other company');
    const yard = await inside(Number(me.folderId), 'Second yard');
    const vehicle = async (name: string, folder_id: number | null) => {
      const row = {
        ...account,
        name,
        folder_id,
        imei: testImei(700_000 + ++serial),
        device_key_hash: Buffer.alloc(32),
      };
      return String((await system.insertInto('vehicle').values(row).returning('id').executeTakeFirstOrThrow()).id);
    };
    const vehicles = {
      spare: await vehicle('Spare', yard.id),
      theirs: await vehicle('Theirs', other.id),
      loose: await vehicle('Loose', null),
    };
    await server.context.feed.settled();
    await server.organisation.roster.settled();
    const signIn = async (vehicleId: string) => {
      const { outcomes, duty } = await me.send([Date.now(), { kind: 'sign-in', vehicleId }]);
      return [outcomes[0]?.refusal ?? outcomes[0]?.result, new Set(duty.vehicles.map(({ deviceName }) => deviceName))];
    };
    const choose = (vehicle_choice: string) => {
      const terms = { rule_set: 'US_PROPERTY_70_8', personal_use: false, yard_moves: false };
      return system
        .insertInto('carrier')
        .values({ ...account, ...terms, vehicle_choice, name: null, usdot_number: null, terminals: '[]' })
        .onConflict(conflict => conflict.column('account_id').doUpdateSet({ vehicle_choice }))
        .execute();
    };
    return { me, vehicles, signIn, choose };
  }

  it('by default those of their company, and those in no folder', async () => {
    const { me, vehicles, signIn } = await companies();
    expect(await signIn(vehicles.theirs)).toEqual(['not-your-vehicle', new Set([me.marker, 'Spare', 'Loose'])]);
    expect((await signIn(vehicles.spare))[0]).toBe('taken');
    expect((await signIn(vehicles.loose))[0]).toBe('taken');
    const [, listed] = await signIn(me.vehicleId);
    expect(listed).not.toContain('Theirs');
    // What was refused never comes back, when the vehicle is recorded for those who may drive it.
    const { recorder, context } = server;
    const theirs = Number(vehicles.theirs);
    const day = Date.now() - 24 * 60 * MINUTE;
    await context.db.asAccount(me.accountId, async trx => {
      await recorder.begin(trx, me.accountId, theirs, day);
      await recorder.record(trx, me.accountId, theirs, Date.now());
    });
    const fold = context.db.system.selectFrom('recorder_fold').select('driver_id').where('vehicle_id', '=', theirs);
    expect(await fold.executeTakeFirst()).toEqual({ driver_id: null });
    const inspect = { kind: 'inspect', vehicleId: vehicles.theirs, when: 'pre-trip', trailers: '', defects: [] };
    expect((await me.send([Date.now(), inspect])).outcomes).toMatchObject([{ refusal: 'not-your-vehicle' }]);
  });

  it('those of their department’s companies; any of the account, or only their own, if the carrier says so', async () => {
    const { choose, me, signIn, vehicles } = await companies();
    await choose('own');
    expect(await signIn(vehicles.spare)).toEqual(['not-your-vehicle', new Set([me.marker])]);
    expect((await signIn(me.vehicleId))[0]).toBe('taken');
    await choose('any');
    expect((await signIn(vehicles.theirs))[0]).toBe('taken');
    await choose('folders');
    const { system } = server.context.db;
    const colleague = { account_id: me.accountId, name: 'Colleague', department_id: Number(me.departmentId) };
    const { id } = await system.insertInto('driver').values(colleague).returning('id').executeTakeFirstOrThrow();
    const other = await userWithData(server);
    expect((await signIn(other.vehicleId))[0]).toBe('not-found');
    await me.send([Date.now(), { kind: 'sign-out', status: 'OFF' }]);
    expect((await signIn(vehicles.theirs))[0]).toBe('not-your-vehicle');
    await system
      .updateTable('vehicle')
      .set({ usual_driver_id: id })
      .where('id', '=', Number(vehicles.theirs))
      .execute();
    await server.context.feed.settled();
    await server.organisation.roster.settled();
    expect((await signIn(vehicles.theirs))[0]).toBe('taken');
  });

  it('any vehicle, if no folder says what their company is', async () => {
    const { me, signIn, vehicles } = await companies();
    const { system } = server.context.db;
    await system.updateTable('vehicle').set({ usual_driver_id: null }).where('id', '=', Number(me.vehicleId)).execute();
    await server.context.feed.settled();
    await server.organisation.roster.settled();
    expect((await signIn(vehicles.theirs))[0]).toBe('taken');
  });
});

describe('[R2.14] a team', () => {
  it('rides together once both have said so, changes the wheel from either phone, and hands driving over', async () => {
    const ann = await driver();
    const ben = await driver({ accountId: ann.accountId });
    const now = Math.floor(Date.now() / 1000) * 1000;
    const at = (minutesAgo: number) => now - minutesAgo * MINUTE;
    const refused = ({ outcomes }: Answer) => outcomes.map(({ refusal }) => refusal);
    const first = await ann.send([at(90), { kind: 'sign-in', vehicleId: ann.vehicleId }]);
    expect(first.duty.coDrivers.map(({ driverId }) => driverId)).toEqual([ben.driverId]);
    const asked = await ann.send([at(89), { kind: 'ask-co-driver', coDriverId: ben.driverId }]);
    expect(asked.duty.askedCoDriver).not.toBeNull();
    const no = { kind: 'decline-co-driver', driverId: ann.driverId };
    const declined = await ben.send([at(89), no], [at(89), no]);
    expect([refused(declined), declined.duty.teamRequests]).toEqual([[null, 'nothing-asked'], []]);
    expect((await ann.send([at(89), { kind: 'ask-co-driver', coDriverId: ben.driverId }])).duty.askedCoDriver).toBe(
      asked.duty.askedCoDriver,
    );
    // Nobody rides along before they have signed in themselves.
    expect(refused(await ann.send([at(89), { kind: 'co-driver', coDriverId: ben.driverId }]))).toEqual(['not-allowed']);
    const seen = await ben.send([at(88), { kind: 'status', status: 'ON', note: '' }]);
    expect(seen.duty.teamRequests).toMatchObject([{ driverId: ann.driverId, vehicleId: ann.vehicleId }]);
    const riding = await ben.send([at(87), { kind: 'sign-in', vehicleId: ann.vehicleId, asCoDriver: true }]);
    expect(riding.duty).toMatchObject({
      teamRequests: [],
      vehicle: { id: ann.vehicleId, isDriving: false, coDriver: { driverId: ann.driverId } },
    });
    await drive(ann, at(80), 50);
    await drive(ann, at(50), 0);
    // Ben takes the wheel on his own phone.
    const switched = await ben.send([at(45), { kind: 'co-driver', coDriverId: ben.driverId }]);
    expect([refused(switched), switched.duty.vehicle?.isDriving]).toEqual([[null], true]);
    await drive(ann, at(40), 50);
    await drive(ann, at(20), 0);
    await server.context.feed.settled();
    const mine = await ann.send([at(15), { kind: 'status', status: 'SB', note: 'Resting while Ben drives' }]);
    expect(mine.duty.vehicle?.isDriving).toBe(false);
    const driven = (duty: MyDuty) =>
      duty.days.flatMap(day => day.records).filter(({ state, status }) => status === 'D' && state === 'active');
    expect(driven(mine.duty)).toHaveLength(1);
    const bens = await ben.send([at(14), { kind: 'status', status: 'ON', note: 'Fuel' }]);
    expect(driven(bens.duty)).toHaveLength(1);
    // What they wrote with it stays, at the wheel and beside it.
    const notes = ({ days }: MyDuty) => days.flatMap(day => day.records).flatMap(({ note }) => note || []);
    expect([notes(mine.duty), notes(bens.duty)]).toEqual([
      ['Resting while Ben drives'],
      expect.arrayContaining(['Fuel']),
    ]);
    const logins = (duty: MyDuty) => duty.days.flatMap(day => day.records).filter(({ type }) => type === 5);
    expect([logins(mine.duty).length, logins(bens.duty).length]).toEqual([1, 1]);
    // What an officer sees: who rode along, by the name in output files, on these days.
    expect(mine.duty.display).toEqual({
      driverId: ann.userName,
      coDrivers: [{ name: expect.any(String), driverId: ben.userName, from: new Date(at(87)).toISOString(), to: null }],
    });
    // Ann's first hour was Ben's after all: nothing moves until he says so, too.
    const [record] = driven(mine.duty);
    const heard: (string | null)[] = [];
    server.context.feed.follow('after', changes => void heard.push(...changes.map(({ userId }) => userId)));
    const over = await ann.send([at(10), { kind: 'hand-over', record: record?.id }]);
    expect([refused(over), driven(over.duty).length]).toEqual([[null], 1]);
    await server.context.feed.settled();
    expect(heard).toContain(ben.userId);
    const told = await ben.send([at(9), { kind: 'status', status: 'OFF', note: '' }]);
    expect(told.duty.handedOver).toMatchObject([{ driverId: ann.driverId, record: record?.id }]);
    const reason = 'I drove this part';
    const took = await ben.send([at(8), { kind: 'take-over', driverId: ann.driverId, record: record?.id, reason }]);
    expect([refused(took), driven(took.duty).length, took.duty.handedOver]).toEqual([[null], 2, []]);
    expect(driven((await ann.send([at(7), { kind: 'status', status: 'OFF', note: '' }])).duty)).toEqual([]);
    const out = await ann.send([at(5), { kind: 'sign-out', status: 'OFF' }]);
    expect(out.duty.vehicle).toBeNull();
    const alone = await ben.send([at(4), { kind: 'status', status: 'ON', note: '' }]);
    expect(alone.duty.vehicle).toMatchObject({ isDriving: true, coDriver: null });
  });

  it('keeps what either phone sends late, each entry about the seat that its driver had then', async () => {
    const ann = await driver();
    const ben = await driver({ accountId: ann.accountId });
    await server.context.db.system
      .updateTable('vehicle')
      .set({ folder_id: null })
      .where('id', '=', Number(ann.vehicleId))
      .execute();
    await server.context.feed.settled();
    const now = Math.floor(Date.now() / 1000) * 1000;
    const at = (minutesAgo: number) => now - minutesAgo * MINUTE;
    const statusesOf = (duty: MyDuty) =>
      duty.dutyLog.segments.flatMap(({ start, status }) =>
        Date.parse(start) >= at(90) ? [`${status} ${(now - Date.parse(start)) / MINUTE}`] : [],
      );
    await ann.send(
      [at(85), { kind: 'sign-in', vehicleId: ann.vehicleId }],
      [at(84), { kind: 'status', status: 'ON', note: '' }],
      [at(83), { kind: 'ask-co-driver', coDriverId: ben.driverId }],
    );
    await ben.send([at(82), { kind: 'sign-in', vehicleId: ann.vehicleId, asCoDriver: true }]);
    await drive(ann, at(80), 50);
    await drive(ann, at(50), 0);
    // Ben's phone has no network from here on; Ann's gives him the wheel, and he drives.
    await ann.send([at(48), { kind: 'co-driver', coDriverId: ben.driverId }]);
    await drive(ann, at(40), 50);
    await drive(ann, at(30), 0);
    const late = await ben.send(
      [at(70), { kind: 'status', status: 'SB', note: '' }],
      [at(28), { kind: 'status', status: 'OFF', note: '' }],
    );
    expect(late.outcomes.map(({ refusal }) => refusal)).toEqual([null, null]);
    expect(statusesOf(late.duty)).toEqual(['SB 70', 'D 40', 'OFF 28']);
    // Someone else takes the vehicle before the last of what Ann entered has come.
    const cleo = await driver({ accountId: ann.accountId });
    const took = await cleo.send([at(10), { kind: 'sign-in', vehicleId: ann.vehicleId }]);
    expect(took.outcomes).toMatchObject([{ refusal: null }]);
    const anns = await ann.send(
      [at(20), { kind: 'status', status: 'SB', note: '' }],
      [at(5), { kind: 'status', status: 'OFF', note: '' }],
    );
    expect(anns.outcomes.map(({ refusal }) => refusal)).toEqual([null, null]);
    expect(statusesOf(anns.duty).slice(-2)).toEqual(['SB 20', 'OFF 5']);
  });

  it('shows a co-driver in the vehicle that they joined, though they never signed out of another one', async () => {
    const ann = await driver();
    const ben = await driver({ accountId: ann.accountId });
    const now = Math.floor(Date.now() / 1000) * 1000;
    await ben.send([now - 90 * MINUTE, { kind: 'sign-in', vehicleId: ben.vehicleId }]);
    await ann.send(
      [now - 85 * MINUTE, { kind: 'sign-in', vehicleId: ann.vehicleId }],
      [now - 84 * MINUTE, { kind: 'ask-co-driver', coDriverId: ben.driverId }],
    );
    const joined = await ben.send([now - 80 * MINUTE, { kind: 'sign-in', vehicleId: ann.vehicleId, asCoDriver: true }]);
    expect(joined.duty.vehicle?.id).toBe(ann.vehicleId);
    // The other vehicle is the one that has reported last.
    await drive(ben, now - 10 * MINUTE, 0);
    await server.recorder.look(now);
    const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: ben.token });
    expect((body as MyDuty).vehicle).toMatchObject({ id: ann.vehicleId, isDriving: false });
  });

  it('is only of those who keep a log at the same terminal, and of one account', async () => {
    const ann = await driver();
    const stranger = await driver();
    const { duty } = await ann.send([Date.now(), { kind: 'sign-in', vehicleId: ann.vehicleId }]);
    expect(duty.coDrivers).toEqual([]);
    const asked = await ann.send([Date.now(), { kind: 'ask-co-driver', coDriverId: stranger.driverId }]);
    expect(asked.outcomes).toMatchObject([{ refusal: 'not-allowed' }]);
    const joined = await stranger.send([Date.now(), { kind: 'sign-in', vehicleId: ann.vehicleId, asCoDriver: true }]);
    expect(joined.outcomes).toMatchObject([{ refusal: 'not-found' }]);
  });
});
