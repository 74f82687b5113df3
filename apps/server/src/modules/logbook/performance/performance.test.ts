import { randomUUID } from 'node:crypto';
import {
  answerDispute,
  createCoaching,
  disputeEvidence,
  type Route,
  type RouteAnswer,
  readDriverPerformance,
  readMyPerformance,
  readPerformance,
  updateCoaching,
  updatePerformanceWeights,
} from '@milepost/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { drovenEvents, keptLog } from '../../../../testing/cross-account/kept-log.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { event, OWNER } from '../../../../testing/logbook.ts';
import type { EntryDraft } from '../draft.ts';
import { writeEntries } from '../write.ts';

let server: TestHttpServer;
let me: UserWithData;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  me = await userWithData(server);
});

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/api/v1/eld/${path}`, { token: me.token, ...(body !== undefined && { body }) });
async function ask<R extends Route>(route: R, path: string, body?: unknown): Promise<RouteAnswer<R>> {
  return route.response.parse((await call(route.method, path, body)).body) as RouteAnswer<R>;
}

describe('[R2.16] the performance of a driver', () => {
  it('is 100 less what counts in 1,000 km, with the evidence, and nothing without a kilometer', async () => {
    const nothing = await ask(readPerformance, 'performance');
    expect(nothing.drivers).toMatchObject([{ driverId: me.driverId, score: null, low: 0, high: 100 }]);
    const other = await userWithData(server);
    me = other;
    // 500 km in one day, a speeding alert and two of harsh driving.
    const alerts = await drovenEvents(server, me, 500, ['overspeed', 'harshDriving', 'harshDriving']);
    const { drivers, weights } = await ask(readPerformance, 'performance');
    const expected = 100 - (weights.speeding + 2 * weights.harsh) * 2;
    expect(drivers).toMatchObject([{ km: 500, score: expected, withDisputed: expected, before: null }]);
    const one = await ask(readDriverPerformance, `performance/${me.driverId}`);
    expect(one.evidence.map(({ source }) => source.kind === 'alert' && source.alertId).sort()).toEqual(alerts.sort());
    expect(one.evidence.reduce((sum, { points }) => sum + points, 0)).toBeCloseTo(100 - expected, 6);
    expect(one.weeks).toHaveLength(8);
  });

  it('counts alerts of speed rules as speeding, once where the tracker says the same, and no other rules', async () => {
    await drovenEvents(server, me, 500, ['overspeed']);
    const { system } = server.context.db;
    const row = await system
      .selectFrom('alert')
      .selectAll()
      .where('kind', '=', 'overspeed')
      .where('account_id', '=', me.accountId)
      .executeTakeFirstOrThrow();
    const alertOf = async (trigger: object, minutesLater: number) => {
      const { id } = await system
        .insertInto('rule')
        .values({
          ...{
            account_id: me.accountId,
            name: `Rule ${minutesLater}`,
            is_on: true,
            severity: 'warning',
            when: null,
            action: '',
          },
          ...{ trigger: JSON.stringify(trigger), is_any_geofence: true, is_inside: true, is_for_all: true },
          ...{ repeat_minutes: 0, mail_to: null, created_by: me.userId },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const at = new Date(row.opened_at.getTime() + minutesLater * 60_000);
      await system
        .insertInto('alert')
        .values({
          ...{ account_id: me.accountId, vehicle_id: row.vehicle_id, driver_id: row.driver_id, severity: 'warning' },
          ...{ id: randomUUID(), event: null, kind: 'rule', rule_id: id, opened_at: at, updated_at: at, closed_at: at },
        })
        .execute();
    };
    await alertOf({ kind: 'speed', kmh: 100, seconds: 10 }, 2);
    await alertOf({ kind: 'speed', kmh: 100, seconds: 10 }, 45);
    await alertOf({ kind: 'idle', minutes: 10 }, 60);
    const { evidence } = await ask(readDriverPerformance, `performance/${me.driverId}`);
    const counted = evidence.filter(({ kind }) => kind === 'speeding').map(({ at }) => Date.parse(at));
    const minutes = counted.map(at => (at - row.opened_at.getTime()) / 60_000);
    expect(minutes.sort((a, b) => a - b)).toEqual([0, 45]);
  });

  it('counts an alert once the distance of its day is known', async () => {
    const [id = ''] = await drovenEvents(server, me, 500, ['overspeed']);
    const { system } = server.context.db;
    const { opened_at } = await system
      .selectFrom('alert')
      .select('opened_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    // On a day of which no trips are counted yet.
    const later = new Date(opened_at.getTime() + 2 * 86_400_000);
    await system.updateTable('alert').set({ opened_at: later }).where('id', '=', id).execute();
    expect(await ask(readMyPerformance, 'my_performance')).toMatchObject({ km: 500, score: 100, evidence: [] });
    const calendar = server.figures.calendar(me.accountId);
    const date = calendar.dateOf(calendar.dayOf(later.getTime()));
    const times = { from_at: later, to_at: later, until_at: later, through_at: later };
    const owned = { account_id: me.accountId, vehicle_id: Number(me.vehicleId) };
    await system
      .insertInto('trip_day')
      .values({ ...owned, ...times, day: date, open: false, count: null })
      .execute();
    const [part] = await system.selectFrom('trip_part').selectAll().where('account_id', '=', me.accountId).execute();
    if (!part) throw new Error('Nothing was driven.');
    await system
      .insertInto('trip_part')
      .values({ ...part, day: date, from_at: later, to_at: new Date(later.getTime() + 3_600_000) })
      .execute();
    // What counts is remembered for a while; another period is read anew.
    const quarter = await ask(readDriverPerformance, `performance/${me.driverId}?days=91`);
    expect(quarter).toMatchObject({
      km: 1000,
      score: 100 - quarter.weights.speeding,
      evidence: [{ kind: 'speeding' }],
    });
  });

  it('gives back exactly the points of what is disputed, until the dispute is rejected', async () => {
    await drovenEvents(server, me, 800, ['overspeed', 'harshDriving']);
    const own = () => ask(readMyPerformance, 'my_performance');
    const before = await own();
    const [item] = before.evidence;
    if (!item) throw new Error('Nothing counts.');
    const disputed = await ask(disputeEvidence, 'my_performance', { evidence: item.id, text: 'A deer on the road' });
    expect((disputed.score ?? 0) - (before.score ?? 0)).toBeCloseTo(item.points, 6);
    expect(disputed.withDisputed).toBe(before.score);
    expect(disputed).toMatchObject({ openDisputes: 1 });
    const answer = (accept: boolean) =>
      ask(answerDispute, `performance/${me.driverId}`, { evidence: item.id, accept, text: 'We saw the video' });
    const rejected = await answer(false);
    expect(rejected.score).toBe(before.score);
    const dispute = rejected.evidence.find(({ id }) => id === item.id)?.dispute;
    expect(dispute).toMatchObject({ state: 'rejected', answer: 'We saw the video' });
    const accepted = await answer(true);
    expect(accepted.score).toBe(disputed.score);
    expect((await call('POST', 'my_performance', { evidence: 'alert:unknown', text: 'Not mine' })).status).toBe(404);
  });

  it('has the distance of the log for days of which no trips are counted yet', async () => {
    await keptLog(server, me);
    const at = (Math.floor(Date.now() / 86_400_000) - 6) * 86_400_000 + 15 * 3_600_000;
    const duty = (state: 'OFF' | 'D', hours: number, miles: number): EntryDraft => ({
      ...{ action: 'record', log: `driver:${me.driverId}`, device: `vehicle:${me.vehicleId}` as const, by: 'eld' },
      event: { ...event(state, at + hours * 3_600_000, '', state === 'D' ? 'automatic' : 'driver'), miles },
    });
    const drafts = [duty('D', 0, 10), duty('OFF', 2, 110)];
    const { db } = server.context;
    const written = await writeEntries(db, me.accountId, drafts, () => OWNER, at + 3 * 3_600_000);
    expect(written.ok).toBe(true);
    expect((await ask(readDriverPerformance, `performance/${me.driverId}`)).km).toBeCloseTo(160.9, 1);
  });

  it('counts what the log says: violations, days certified late, and driving without signing in', async () => {
    await keptLog(server, me);
    const day = Math.floor(Date.now() / 86_400_000) - 6;
    const at = day * 86_400_000;
    const [log, device] = [`driver:${me.driverId}`, `vehicle:${me.vehicleId}` as const];
    const duty = (state: 'OFF' | 'D', hours: number): EntryDraft => ({
      ...{ action: 'record', log, device, by: 'eld' },
      event: event(state, at + hours * 3_600_000, '', state === 'D' ? 'automatic' : 'driver'),
    });
    const drafts = [duty('OFF', -24), duty('D', 0), duty('OFF', 12.5)];
    const { db } = server.context;
    const written = await writeEntries(db, me.accountId, drafts, () => OWNER, at + 13 * 3_600_000);
    if (!written.ok) throw new Error(written.refusal);
    await drovenEvents(server, me, 700, []);
    const { evidence, parts } = await ask(readMyPerformance, 'my_performance');
    const hours = evidence.filter(({ kind }) => kind === 'hours');
    expect(hours.map(({ source }) => source.kind === 'log-day' && source.clause)).toContain('49 CFR 395.3(a)(3)(i)');
    const late = evidence.filter(({ kind }) => kind === 'certification').map(({ source }) => source);
    expect(late).toContainEqual({
      kind: 'log-day',
      date: new Date(at).toISOString().slice(0, 10),
      clause: '395.30(b)',
    });
    expect(parts.find(({ kind }) => kind === 'hours')?.amount).toBe(hours.length);
  });

  it('counts arrivals at tasks after their time, of the driver and the vehicle, not what the desk entered', async () => {
    await drovenEvents(server, me, 500, []);
    const { system } = server.context.db;
    const dueAt = Math.floor(Date.now() / 86_400_000 - 5) * 86_400_000 + 15 * 3_600_000;
    const at = (minutes: number) => new Date(dueAt + minutes * 60_000);
    const reach = async (title: string, minutes: number, by: 'driver' | 'desk' | 'vehicle', assigned = -300) => {
      const { id } = await system
        .insertInto('task')
        .values({
          ...{ account_id: me.accountId, task_id: randomUUID(), title, priority: 'normal', state: 'done', note: null },
          ...{ ref: null, notes: null, due_from: null, due_to: at(0), stops: JSON.stringify([]), reason: null },
          ...{ needs_photo: false, needs_signature: false, driver_id: Number(me.driverId), vehicle_id: null },
          ...{ created_by: null, assigned_by: null, assigned_at: at(assigned), answer_by: null, signed_by: null },
          ...{ over_at: at(minutes + 60), changed_at: at(minutes) },
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      // An earlier driver's arrival, then the own one, then the end of the work.
      for (const [state, after] of [
        ['arrived', assigned - minutes - 60],
        ['arrived', 0],
        ['done', 60],
      ] as const) {
        await system
          .insertInto('task_step')
          .values({
            ...{ account_id: me.accountId, task_id: id, report_id: randomUUID(), state, at: at(minutes + after) },
            ...{ done_by: by, user_id: null },
          })
          .execute();
      }
    };
    await reach('On time', 0, 'driver');
    await reach('A moment late', 0.9, 'vehicle');
    await reach('Late', 18.5, 'vehicle');
    await reach('Entered by the desk', 90, 'desk');
    await reach('Given too late', 90, 'driver', 30);
    const { arrivals, evidence, score, weights } = await ask(readMyPerformance, 'my_performance');
    expect(arrivals).toEqual({ all: 3, late: 1 });
    const [late, ...others] = evidence.filter(({ kind }) => kind === 'punctuality');
    expect(others).toEqual([]);
    expect(late?.source).toMatchObject({ kind: 'task', title: 'Late', lateMinutes: 18 });
    expect(score).toBeCloseTo(100 - weights.punctuality * 2, 6);
    const disputed = await ask(disputeEvidence, 'my_performance', { evidence: late?.id, text: 'The gate was closed' });
    expect(disputed).toMatchObject({ score: 100, arrivals: { all: 3, late: 0 } });
  });

  it('is of a week, four, or a quarter, beside the period before, and of departments together', async () => {
    await drovenEvents(server, me, 500, ['overspeed']);
    const { system } = server.context.db;
    const calendar = server.figures.calendar(me.accountId);
    const vehicle = { account_id: me.accountId, vehicle_id: Number(me.vehicleId) };
    const day = calendar.dayOf(Date.now()) - 40;
    const [from_at, to_at] = [new Date(calendar.startOf(day)), new Date(calendar.startOf(day + 1))];
    const date = calendar.dateOf(day);
    await system
      .insertInto('trip_day')
      .values({ ...vehicle, day: date, from_at, to_at, until_at: to_at, through_at: to_at, open: false, count: null })
      .execute();
    await system
      .insertInto('trip_part')
      .values({
        ...{ ...vehicle, day: date, from_at, to_at, kind: 'trip', millimetres: 250e6, moving_ms: 3_600_000, fixes: 10 },
        ...{ idling_ms: 0, stopped_ms: 0, max_speed: 25, odometer: null, fuel: null, cards: [] },
        ...{ start_at: null, start_lat: null, start_lon: null, end_at: null, end_lat: null, end_lon: null },
      })
      .execute();
    const { id: department } = await system
      .insertInto('department')
      .values({ account_id: me.accountId, name: 'Night shift', parent_id: null })
      .returning('id')
      .executeTakeFirstOrThrow();
    await system
      .updateTable('driver')
      .set({ department_id: department })
      .where('id', '=', Number(me.driverId))
      .execute();
    const of = (days: number) => ask(readPerformance, `performance?days=${days}`);
    const score = 100 - (await of(28)).weights.speeding * 2;
    expect((await of(7)).drivers).toMatchObject([{ km: 500, score, before: null }]);
    expect((await of(28)).drivers).toMatchObject([{ km: 500, score, before: 100 }]);
    const quarter = await of(91);
    expect(quarter.drivers).toMatchObject([{ km: 750, before: null }]);
    expect(quarter.drivers[0]?.weeks).toHaveLength(13);
    const { drivers, departments, fleet } = await of(28);
    expect(departments).toMatchObject([{ departmentId: String(department), name: 'Night shift', drivers: 1, score }]);
    expect(fleet).toMatchObject({ score, km: 500 });
    expect(drivers).toMatchObject([{ departmentId: String(department) }]);
    expect((await call('GET', 'performance?days=12')).status).toBe(400);
  });

  it('counts by the account’s own weights', async () => {
    await drovenEvents(server, me, 1000, ['overspeed']);
    expect(await ask(updatePerformanceWeights, 'performance', { speeding: 25 })).toMatchObject({
      speeding: 25,
      harsh: 4,
    });
    expect((await ask(readPerformance, 'performance')).drivers).toMatchObject([{ score: 75 }]);
  });

  it('has coaching notes with a due date, which the driver sees', async () => {
    await drovenEvents(server, me, 10, []);
    const path = `performance/${me.driverId}/coaching`;
    const note = await ask(createCoaching, path, { text: 'Watch the film on following distance', dueOn: '2026-12-10' });
    expect(note).toMatchObject({ dueOn: '2026-12-10', doneAt: null });
    expect(await ask(readMyPerformance, 'my_performance')).toMatchObject({ openCoaching: 1, coaching: [note] });
    const done = await ask(updateCoaching, `${path}/${note.id}`, { done: true });
    expect(done).toMatchObject({ text: note.text, dueOn: note.dueOn, doneAt: expect.any(String) });
    expect(await ask(readMyPerformance, 'my_performance')).toMatchObject({ openCoaching: 0 });
  });
});
