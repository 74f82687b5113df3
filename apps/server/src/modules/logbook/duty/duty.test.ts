import { randomUUID } from 'node:crypto';
import { type MyDuty, myDutySchema } from '@milepost/contract';
import { fromMilesPerHour } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';

const MINUTE = 60_000;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

interface Answer {
  readonly outcomes: readonly { readonly id: string; readonly result: string; readonly refusal: string | null }[];
  readonly duty: MyDuty;
}

async function driver(): Promise<UserWithData & { send(...actions: readonly [number, object][]): Promise<Answer> }> {
  const me = await userWithData(server, { role: 'driver', drives: true });
  await server.context.db.system
    .insertInto('log_setting')
    .values({ account_id: me.accountId, driver_id: Number(me.driverId), keeps_log: true, personal_use: true })
    .execute();
  const send = async (...actions: readonly [number, object][]) => {
    const inputs = actions.map(([at, action]) => ({ id: randomUUID(), at: new Date(at).toISOString(), action }));
    const answer = await server.call('POST', '/api/v1/eld/duty', { token: me.token, body: { inputs } });
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    return answer.body as Answer;
  };
  return { ...me, send };
}

const drive = (me: UserWithData, at: number, mph: number) =>
  storePositions(server, me.accountId, Number(me.vehicleId), [
    receivedPosition(at, { speed: fromMilesPerHour(mph), ignition: true }),
  ]);

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
    const statuses = then.duty.days
      .toReversed()
      .flatMap(({ segments }) => segments)
      .map(({ status, from }) => [status, from])
      .filter(([, from]) => Date.parse(String(from)) >= t1);
    expect(statuses.map(([status]) => status)).toEqual(['D', 'OFF', 'PC', 'SB']);
    expect(then.duty).toMatchObject({ vehicle: null, row: { status: 'SB' } });
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
    expect(claimed.duty.days.some(({ totals }) => totals.D >= 20 * 60)).toBe(true);

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
    const { outcomes } = await me.send([now, { kind: 'review-inspection', report: sent.duty.inspection?.id }]);
    expect(outcomes).toMatchObject([{ refusal: 'certification-missing' }]);
  });

  it('are only for those who keep a log', async () => {
    const support = await userWithData(server, { role: 'dispatcher' });
    const body = { inputs: [{ id: randomUUID(), at: new Date().toISOString(), action: { kind: 'confirm' } }] };
    const answer = await server.call('POST', '/api/v1/eld/duty', { token: support.token, body });
    expect([answer.status, answer.body]).toMatchObject([409, { code: 'no-log' }]);
  });
});
