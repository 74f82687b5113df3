import { randomUUID } from 'node:crypto';
import { type AssignedTask, STEPS_FROM, TASK_STATES, type Task, taskSchema } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, type Caller, callerOf, limit } from '../../../testing/organisation.ts';
import { testPicture } from '../../../testing/picture.ts';
import { receivedPosition } from '../../../testing/stored-positions.ts';
import { advance, type VehicleState } from '../../fleet/vehicle-state.ts';
import { noteArrivals } from './arrivals.ts';

const MINUTE = 60_000;
const DOCK = { lat: 41.9, lon: -87.68 };

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.signals.on('task-assigned', of => {
    if (of.accountId === owner.accountId) sent.push(of);
  });
});
afterAll(() => server.close());

let owner: SignedIn;
let desk: Caller;
let driver: Caller;
let driverId: string;
let vehicle: { readonly id: string; readonly imei: string };
/** What drivers' sockets were sent. */
let sent: { readonly driverId: number; readonly task: AssignedTask }[];

beforeEach(async () => {
  owner = await signedIn(server);
  desk = callerOf(server, owner);
  const user = await signedIn(server, { accountId: owner.accountId, role: 'driver' });
  driver = callerOf(server, user);
  const made = await desk('POST', '/driver', { name: 'Dana Whitlock', userId: user.userId });
  driverId = (made.body as { id: string }).id;
  vehicle = await addNamedVehicle(server, owner.accountId, '4127');
  await desk('PATCH', `/driver/${driverId}/vehicle`, { deviceId: vehicle.id });
  await server.organisation.roster.settled();
  sent = [];
});

const stop = { name: 'Dock 9', ...DOCK };
const created = async (fields: object = {}): Promise<Task> => {
  const answer = await desk('POST', '/task', { title: 'Deliver 12 pallets', driverId, stops: [stop], ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  return taskSchema.parse(answer.body);
};
const step = (task: Pick<Task, 'id'>, name: string, more: object = {}) =>
  driver('POST', `/my_task/${task.id}`, {
    reportId: randomUUID(),
    step: name,
    at: new Date().toISOString(),
    ...more,
  });
const stateOf = async (id: string): Promise<Task> =>
  taskSchema.parse(((await driver('GET', '/my_task')).body as Task[]).find(task => task.id === id));
const addProof = async (id: string, kind: 'photo' | 'signature', proofId: string = randomUUID(), signedBy = '') => {
  const body = new FormData();
  body.append('file', await testPicture('png'), 'dock.png');
  body.append('proofId', proofId);
  body.append('kind', kind);
  if (signedBy) body.append('signedBy', signedBy);
  return driver('POST', `/my_task/${id}/proof`, body);
};

describe('[R7.36] a task', () => {
  it('is stored, sent to its driver, and goes step by step to the end', async () => {
    const task = await created();
    expect(task).toMatchObject({ state: 'assigned', driver: { id: driverId }, vehicle: { id: vehicle.id } });
    expect(sent).toMatchObject([{ driverId: Number(driverId), task: { taskId: task.taskId, title: task.title } }]);
    for (const name of ['seen', 'accepted', 'enroute', 'arrived', 'done']) {
      expect([name, (await step(task, name)).status]).toEqual([name, 200]);
    }
    const done = await stateOf(task.id);
    expect(done.state).toBe('done');
    expect(done.steps.map(({ state, by }) => [state, by])).toEqual([
      ['assigned', 'desk'],
      ...['seen', 'accepted', 'enroute', 'arrived', 'done'].map(name => [name, 'driver']),
    ]);
    expect((await step(task, 'enroute')).body).toMatchObject({ code: 'task-step' });
    expect((await desk('PATCH', `/task/${task.id}`, { title: 'Later' })).body).toMatchObject({ code: 'task-over' });
  });

  it('takes only the steps of the table from each state', async () => {
    for (const state of TASK_STATES) {
      for (const next of STEPS_FROM.accepted) {
        const task = await created();
        await server.context.db.system.updateTable('task').set({ state }).where('id', '=', Number(task.id)).execute();
        const { status } = await step(task, next);
        expect([state, next, status]).toEqual([state, next, STEPS_FROM[state].includes(next) ? 200 : 409]);
      }
    }
  });

  it('takes a report once, however often the phone sends it', async () => {
    const task = await created();
    const reportId = randomUUID();
    const [first, second] = [
      await step(task, 'accepted', { reportId }),
      await step(task, 'accepted', { reportId, reason: 'again' }),
    ];
    expect([first.status, second.status, second.body]).toEqual([200, 200, first.body]);
    // A step that waited without a network keeps its time; a clock that is ahead does not make the future.
    const at = new Date(Date.now() - 90 * MINUTE).toISOString();
    await step(task, 'enroute', { at });
    await step(task, 'arrived', { at: new Date(Date.now() + 86_400_000).toISOString() });
    const { steps } = await stateOf(task.id);
    expect(steps.find(({ state }) => state === 'enroute')?.at).toBe(at);
    const arrived = steps.find(({ state }) => state === 'arrived');
    expect(Date.parse(arrived?.at ?? '')).toBeLessThan(Date.now() + 6 * MINUTE);
  });

  it('keeps steps that a phone reports after the vehicle has arrived by its position', async () => {
    const task = await created();
    await step(task, 'accepted');
    const { db } = server.context;
    await db.system.updateTable('task').set({ state: 'arrived' }).where('id', '=', Number(task.id)).execute();
    await db.system
      .insertInto('task_step')
      .values({
        ...{ account_id: owner.accountId, task_id: Number(task.id), report_id: randomUUID(), at: new Date() },
        ...{ state: 'arrived', done_by: 'vehicle', user_id: null },
      })
      .execute();
    const at = new Date(Date.now() - 90 * MINUTE).toISOString();
    expect((await step(task, 'enroute', { at })).status).toBe(200);
    expect((await step(task, 'arrived')).status).toBe(200);
    expect((await step(task, 'arrived')).body).toMatchObject({ code: 'task-step' });
    const { state, steps } = await stateOf(task.id);
    expect(state).toBe('arrived');
    expect(steps.find(one => one.state === 'enroute')).toMatchObject({ at, by: 'driver' });
    expect((await step(task, 'done')).body).toMatchObject({ state: 'done' });
  });

  it('is not done without the photo and the signature that it asks for', async () => {
    const task = await created({ needsPhoto: true, needsSignature: true });
    await step(task, 'accepted');
    expect((await step(task, 'done', { signedBy: 'T. Ruiz' })).body).toMatchObject({ code: 'task-proof-missing' });
    const proofId = randomUUID();
    expect((await addProof(task.id, 'photo', proofId)).status).toBe(200);
    expect((await addProof(task.id, 'photo', proofId)).body).toMatchObject({ proof: { photos: 1 } });
    expect((await addProof(task.id, 'signature')).status).toBe(200);
    expect((await step(task, 'done')).body).toMatchObject({ code: 'task-proof-missing' });
    // The name may come with the signature, long before the rest.
    expect((await addProof(task.id, 'signature', randomUUID(), 'A. Ruiz')).body).toMatchObject({
      proof: { hasSignature: true, signedBy: 'A. Ruiz' },
    });
    expect((await step(task, 'done', { signedBy: 'T. Ruiz', note: 'Left at gate 3' })).body).toMatchObject({
      state: 'done',
      proof: { photos: 1, hasSignature: true, signedBy: 'T. Ruiz', note: 'Left at gate 3' },
    });
    const photo = await server.call('GET', `/api/v1/task/${task.id}/proof/0`, { token: owner.token });
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await server.call('GET', `/api/v1/task/${task.id}/proof/1`, { token: owner.token })).status).toBe(404);
  });

  it('is taken back, given to another, and canceled; whoever had it is told', async () => {
    const task = await created();
    const other = (await desk('POST', '/driver', { name: 'Owen Strand' })).body as { id: string };
    await server.organisation.roster.settled();
    sent.length = 0;
    await desk('PATCH', `/task/${task.id}`, { driverId: other.id });
    expect(sent.map(one => [one.driverId, one.task.status, one.task.seqNo])).toEqual([
      [Number(driverId), 'cancelled', 1],
      [Number(other.id), 'assigned', 1],
    ]);
    expect((await driver('GET', '/my_task')).body).toEqual([]);
    expect((await step(task, 'accepted')).status).toBe(404);
    expect((await desk('DELETE', `/task/${task.id}`)).body).toMatchObject({ code: 'task-under-way' });
    expect((await desk('POST', `/task/${task.id}/cancel`, { reason: 'Sold' })).body).toMatchObject({
      state: 'cancelled',
      reason: 'Sold',
    });
    expect(sent.at(-1)).toMatchObject({ driverId: Number(other.id), task: { status: 'cancelled', reason: 'Sold' } });
    expect((await desk('DELETE', `/task/${task.id}`)).status).toBe(200);
  });

  it('that was declined can be given again', async () => {
    const task = await created();
    await step(task, 'declined', { reason: 'No hours left' });
    expect(await stateOf(task.id)).toMatchObject({ state: 'declined', reason: 'No hours left' });
    expect((await desk('PATCH', `/task/${task.id}`, { driverId })).body).toMatchObject({
      state: 'assigned',
      reason: null,
    });
  });

  it('keeps what a change does not name', async () => {
    const task = await created({ needsPhoto: true, priority: 'urgent', ref: 'PO-1', notes: 'Gate 3' });
    const { body } = await desk('PATCH', `/task/${task.id}`, { title: 'Deliver 14 pallets' });
    const { title: _title, seqNo: _seqNo, changedAt: _changedAt, ...rest } = task;
    expect(body).toMatchObject({ ...rest, title: 'Deliver 14 pallets', seqNo: 1 });
  });

  it('needs an end after its start', async () => {
    const answer = await desk('POST', '/task', {
      title: '',
      dueFrom: '2026-11-26T10:00:00Z',
      dueTo: '2026-11-26T09:00:00Z',
    });
    expect(answer.body).toMatchObject({
      errors: [
        { field: 'title', message: 'Enter a title of up to 120 characters.' },
        { field: 'dueTo', message: 'The end must be after the start.' },
      ],
    });
  });
});

describe('the tasks of a day', () => {
  it('are also those that were under way at its midnight, when they are over', async () => {
    const [before, midnight, after] = ['2026-11-20T22:00:00Z', '2026-11-21T00:00:00Z', '2026-11-21T02:00:00Z'];
    const { system } = server.context.db;
    const over = async (title: string, due: string | null, enroute: string | null): Promise<void> => {
      const { id } = await created({ title });
      const task = system.updateTable('task').where('id', '=', Number(id));
      const dueFrom = due === null ? null : new Date(due);
      await task.set({ due_from: dueFrom, due_to: null, over_at: new Date(after), state: 'done' }).execute();
      if (enroute === null) return;
      const step = { account_id: owner.accountId, task_id: Number(id), report_id: randomUUID(), user_id: null };
      await system
        .insertInto('task_step')
        .values({ ...step, state: 'enroute', at: new Date(enroute), done_by: 'driver' })
        .execute();
    };
    await over('Over night as planned', before, null);
    await over('Over night as driven', null, before);
    await over('After midnight', after, after);
    const day = async (from: string, to: string) => {
      const { body } = await desk('GET', `/task?from=${from}&to=${to}`);
      return (body as Task[]).map(({ title }) => title).filter(title => title.includes('night'));
    };
    expect((await day('2026-11-20T00:00:00Z', midnight)).toSorted()).toEqual([
      'Over night as driven',
      'Over night as planned',
    ]);
    expect(await day(midnight, '2026-11-22T00:00:00Z')).toHaveLength(3);
  });
});

describe('who sees a task', () => {
  it('sees its driver, or has created it while nobody has it', async () => {
    const north = (await desk('POST', '/department', { name: 'North' })).body as { id: string };
    const limited = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    await limit(server.context, limited, { departments: [north.id] });
    const dispatcher = callerOf(server, limited);
    const query = `/task?from=${new Date(0).toISOString()}&to=${new Date(Date.now() + 86_400_000).toISOString()}`;
    const titles = async () => ((await dispatcher('GET', query)).body as Task[]).map(({ title }) => title);
    const theirs = await created({ title: 'Not theirs' });
    await created({ title: 'Nobody’s', driverId: null });
    expect(await titles()).toEqual([]);
    expect((await dispatcher('PATCH', `/task/${theirs.id}`, { title: 'Mine' })).status).toBe(404);
    expect((await dispatcher('POST', '/task', { title: 'Own' })).status).toBe(201);
    expect((await dispatcher('POST', '/task', { title: 'For a stranger', driverId })).status).toBe(404);
    expect(await titles()).toEqual(['Own']);
    await desk('PATCH', `/driver/${driverId}`, { departmentId: north.id });
    await server.organisation.roster.settled();
    expect(await titles()).toEqual(['Not theirs', 'Own']);
  });
});

describe('a vehicle', () => {
  const standingAt = (place: { lat: number; lon: number }, since: number): VehicleState => {
    let state: VehicleState | null = null;
    for (let at = since; at <= since + 5 * MINUTE; at += MINUTE) {
      const position = receivedPosition(at, { ...place, speed: metresPerSecond(0), ignition: false } as never);
      state = advance(state, { receivedAt: position.receivedAt, positions: [position] }, () => {});
    }
    return state as unknown as VehicleState;
  };

  it('that stands at the stop has arrived, when it stopped, and only once', async () => {
    const task = await created();
    const { live, context } = server;
    const since = Date.now() - 10 * MINUTE;
    live.set(owner.accountId, Number(vehicle.id), standingAt(DOCK, since));
    await noteArrivals(context, live);
    expect((await stateOf(task.id)).state).toBe('assigned');
    await step(task, 'accepted');
    live.set(owner.accountId, Number(vehicle.id), standingAt({ lat: DOCK.lat + 0.01, lon: DOCK.lon }, since));
    await noteArrivals(context, live);
    expect((await stateOf(task.id)).state).toBe('accepted');
    live.set(owner.accountId, Number(vehicle.id), standingAt(DOCK, since));
    await Promise.all([noteArrivals(context, live), noteArrivals(context, live)]);
    const arrived = await stateOf(task.id);
    expect(arrived.state).toBe('arrived');
    expect(arrived.steps.filter(({ state }) => state === 'arrived')).toMatchObject([{ by: 'vehicle', name: null }]);
  });
});
