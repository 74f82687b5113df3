import { randomUUID } from 'node:crypto';
import { type MyDuty, type Proposal, proposeEdit, type UnidentifiedDriving } from '@milepost/contract';
import { fromMilesPerHour } from '@milepost/units';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { receivedPosition, storePositions } from '../../../../testing/stored-positions.ts';
import { readLogs } from '../days/read-log.ts';

const MINUTE = 60_000;

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

interface Answer {
  readonly outcomes: readonly { readonly refusal: string | null }[];
  readonly duty: MyDuty;
}
type Driver = UserWithData & { readonly send: (...actions: readonly [number, object][]) => Promise<Answer> };

async function driver(accountId?: number): Promise<Driver> {
  const me = await userWithData(server, {
    role: 'driver',
    drives: true,
    ...(accountId !== undefined && { accountId }),
  });
  const { system } = server.context.db;
  await system
    .insertInto('log_setting')
    .values({ account_id: me.accountId, driver_id: Number(me.driverId), keeps_log: true })
    .execute();
  // Anyone's to drive.
  await system.updateTable('vehicle').set({ folder_id: null }).where('id', '=', Number(me.vehicleId)).execute();
  await server.context.feed.settled();
  const send = async (...actions: readonly [number, object][]): Promise<Answer> => {
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

/** Active driving in these logs, which are read whole: a log that contradicts itself fails here. */
const drivingIn = (accountId: number, logs: readonly string[]): Promise<number[]> =>
  server.context.db.asAccount(accountId, async trx => {
    const read = await readLogs(trx, logs, null);
    return logs.map(
      log =>
        (read.get(log)?.records() ?? []).filter(
          ({ event, status }) => event.type === 1 && event.code === 3 && status === 'active',
        ).length,
    );
  });

const refusalsOf = (answers: readonly Answer[]) => answers.map(({ outcomes }) => outcomes[0]?.refusal ?? null);

describe('[R2.14] at once', () => {
  it('two drivers claim one drive: one of them gets it, the other is told, and it is in one log', async () => {
    const ann = await driver();
    const ben = await driver(ann.accountId);
    const now = Math.floor(Date.now() / 1000) * 1000;
    await ann.send([now - 90 * MINUTE, { kind: 'sign-in', vehicleId: ann.vehicleId }]);
    await ann.send([now - 80 * MINUTE, { kind: 'sign-out', status: 'OFF' }]);
    await drive(ann, now - 60 * MINUTE, 45);
    await drive(ann, now - 40 * MINUTE, 0);
    await server.recorder.look(now);
    const { duty } = await ann.send([now - 10 * MINUTE, { kind: 'sign-in', vehicleId: ann.vehicleId }]);
    const record = duty.unclaimed[0]?.record;
    const claim = { kind: 'claim', vehicleId: ann.vehicleId, record, mine: true };
    const refusals = refusalsOf(await Promise.all([ann, ben].map(one => one.send([now, claim]))));
    expect(refusals.toSorted()).toEqual([null, 'other-driving'].toSorted());
    const logs = [`driver:${ann.driverId}`, `driver:${ben.driverId}`, `unidentified:${ann.vehicleId}`];
    const winner = refusals.indexOf(null);
    expect(await drivingIn(ann.accountId, logs)).toEqual([winner === 0 ? 1 : 0, winner === 1 ? 1 : 0, 0]);
  });

  it('the desk asks someone else while the driver claims: the driver’s word counts, and nobody is asked anymore', async () => {
    const ann = await driver();
    const ben = await driver(ann.accountId);
    const desk = await userWithData(server, { accountId: ann.accountId });
    const now = Math.floor(Date.now() / 1000) * 1000;
    await ann.send([now - 90 * MINUTE, { kind: 'sign-in', vehicleId: ann.vehicleId }]);
    await ann.send([now - 80 * MINUTE, { kind: 'sign-out', status: 'OFF' }]);
    await drive(ann, now - 60 * MINUTE, 45);
    await drive(ann, now - 40 * MINUTE, 0);
    await server.recorder.look(now);
    const { duty } = await ann.send([now - 10 * MINUTE, { kind: 'sign-in', vehicleId: ann.vehicleId }]);
    const record = duty.unclaimed[0]?.record;
    const path = `/api/v1/eld/unidentified/${ann.vehicleId}/${record}`;
    const [claimed, asked] = await Promise.all([
      ann.send([now, { kind: 'claim', vehicleId: ann.vehicleId, record, mine: true }]),
      server.call('POST', path, { token: desk.token, body: { driverId: ben.driverId } }),
    ]);
    expect(refusalsOf([claimed])).toEqual([null]);
    // Taken before, or asked just before it was taken.
    expect([200, 409]).toContain(asked.status);
    const { body } = await server.call('GET', '/api/v1/eld/unidentified', { token: desk.token });
    const list = body as UnidentifiedDriving[];
    expect(list.find(one => one.record === record)).toMatchObject({
      state: 'claimed',
      driver: { driverId: ann.driverId },
      candidates: [],
    });
    const bens = await ben.send([now, { kind: 'status', status: 'OFF', note: '' }]);
    expect(bens.duty.unclaimed).toEqual([]);
    const late = await ben.send([now, { kind: 'claim', vehicleId: ann.vehicleId, record, mine: true }]);
    expect(refusalsOf([late])).toEqual(['other-driving']);
  });

  it('a driver certifies, edits and answers while the desk proposes: all is in one order, and the log is sound', async () => {
    const ann = await driver();
    const desk = await userWithData(server, { accountId: ann.accountId });
    const now = Math.floor(Date.now() / 1000) * 1000;
    const day = now - 30 * 60 * MINUTE;
    const { duty } = await ann.send(
      [day, { kind: 'sign-in', vehicleId: ann.vehicleId }],
      [day + 5 * MINUTE, { kind: 'status', status: 'ON', note: '' }],
      [day + 25 * MINUTE, { kind: 'sign-out', status: 'OFF' }],
    );
    const on = duty.days.flatMap(({ records }) => records).find(({ status, type }) => type === 1 && status === 'ON');
    const dates = duty.toCertify;
    await ann.send([now, { kind: 'certify', dates }]);
    const propose = (minutes: number) => ({
      ...{ driverId: ann.driverId, replaces: on?.id, status: 'SB', reason: 'Slept in the berth' },
      at: new Date(day + minutes * MINUTE).toISOString(),
    });
    const post = (body: object) => server.call('POST', proposeEdit.path, { token: desk.token, body });
    const edit = {
      ...{ kind: 'edit', replaces: on?.id, status: 'OFF', reason: 'Was off duty then' },
      at: new Date(day + 5 * MINUTE).toISOString(),
    };
    const [edited, ...proposed] = await Promise.all([
      ann.send([now, edit], [now, { kind: 'certify', dates }]),
      ...[6, 7, 8, 9].map(minutes => post(propose(minutes))),
    ]);
    expect(refusalsOf([edited])).toEqual([null]);
    // What the driver has changed meanwhile can't be proposed anymore: the desk is told, never an error of the server.
    for (const { status } of proposed) expect([200, 409]).toContain(status);
    const waiting = async () =>
      ((await server.call('GET', '/api/v1/eld/proposal', { token: desk.token })).body as Proposal[]).filter(
        ({ state }) => state === 'waiting',
      );
    // Each that was made can still be answered, or taken back.
    for (const { id } of await waiting()) {
      const [answered, withdrawn] = await Promise.all([
        ann.send([now, { kind: 'answer', proposal: id, accept: false }]),
        server.call('DELETE', `/api/v1/eld/proposal/${id}`, { token: desk.token }),
      ]);
      expect([refusalsOf([answered])[0] === null, withdrawn.status === 200].filter(Boolean)).toHaveLength(1);
    }
    expect(await waiting()).toEqual([]);
    expect(await drivingIn(ann.accountId, [`driver:${ann.driverId}`])).toEqual([0]);
  });

  it('two co-drivers say who drives: one of them is at the wheel, and driving is in one log', async () => {
    const ann = await driver();
    const ben = await driver(ann.accountId);
    const now = Math.floor(Date.now() / 1000) * 1000;
    const at = (minutes: number) => now - minutes * MINUTE;
    await ann.send(
      [at(90), { kind: 'sign-in', vehicleId: ann.vehicleId }],
      [at(89), { kind: 'ask-co-driver', coDriverId: ben.driverId }],
    );
    await ben.send([at(88), { kind: 'sign-in', vehicleId: ann.vehicleId, asCoDriver: true }]);
    await drive(ann, at(80), 0);
    const logs = [`driver:${ann.driverId}`, `driver:${ben.driverId}`];
    // The same word from both phones, then each says it of themselves.
    const words = [
      [ben, ben],
      [ann, ben],
      [ben, ann],
    ] as const;
    for (const [nth, whose] of words.entries()) {
      const then = at(70 - 20 * nth);
      const answers = await Promise.all(
        [ann, ben].map((one, seat) =>
          one.send([then, { kind: 'co-driver', coDriverId: whose[seat === 0 ? 0 : 1].driverId }]),
        ),
      );
      for (const refusal of refusalsOf(answers)) expect([null, 'no-change']).toContain(refusal);
      await drive(ann, then + 3 * MINUTE, 50);
      await drive(ann, then + 12 * MINUTE, 0);
    }
    await server.recorder.look(now);
    const seats = await Promise.all(
      [ann, ben].map(async one => {
        const { body } = await server.call('GET', '/api/v1/eld/my_duty', { token: one.token });
        return (body as MyDuty).vehicle?.isDriving;
      }),
    );
    expect(seats.toSorted()).toEqual([false, true]);
    const driven = await drivingIn(ann.accountId, logs);
    expect(driven.reduce((sum, one) => sum + one, 0)).toBe(words.length);
  });

  it('the desk archives a driver who is driving: they stay on the board, what they drive is recorded, the log stays', async () => {
    const ann = await driver();
    const desk = await userWithData(server, { accountId: ann.accountId });
    const now = Math.floor(Date.now() / 1000) * 1000;
    await ann.send([now - 90 * MINUTE, { kind: 'sign-in', vehicleId: ann.vehicleId }]);
    await drive(ann, now - 4 * MINUTE, 50);
    await server.recorder.look(now);
    const ask = async (path: string) => (await server.call('GET', `/api/v1/eld/${path}`, { token: desk.token })).body;
    const row = async () =>
      ((await ask('board')) as { rows: { driverId: string; status: string }[] }).rows.find(
        ({ driverId }) => driverId === ann.driverId,
      );
    const archive = await server.call('PATCH', `/api/v1/driver/${ann.driverId}`, {
      token: desk.token,
      body: { archived: true },
    });
    expect(archive.status).toBe(200);
    expect(await row()).toMatchObject({ status: 'D' });
    await drive(ann, now - MINUTE, 0);
    const { duty } = await ann.send([now, { kind: 'sign-out', status: 'OFF' }]);
    expect(duty.row.status).toBe('OFF');
    expect(await row()).toBeUndefined();
    // The carrier has to have it for six months.
    const [from, to] = [now - 3 * 1440 * MINUTE, now + 1440 * MINUTE].map(ms =>
      new Date(ms).toISOString().slice(0, 10),
    );
    const days = (await ask(`log?driverId=${ann.driverId}&from=${from}&to=${to}`)) as {
      date: string;
      totals: { D: number };
    }[];
    expect(days.reduce((sum, { totals }) => sum + totals.D, 0)).toBeGreaterThanOrEqual(3 * 60);
    expect(await ask(`log/${ann.driverId}/${days.at(-1)?.date}`)).toMatchObject({ driverId: ann.driverId });
  });
});
