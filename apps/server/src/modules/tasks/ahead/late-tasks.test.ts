import { listAlerts, type TaskStop } from '@milepost/contract';
import { reachAll } from '@milepost/hos';
import { degrees } from '@milepost/units';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { keptLog } from '../../../../testing/cross-account/kept-log.ts';
import { startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { event, OWNER } from '../../../../testing/logbook.ts';
import { receivedPosition } from '../../../../testing/stored-positions.ts';
import type { Bus, Listener } from '../../../bus/bus.ts';
import { advance } from '../../../fleet/vehicle-state.ts';
import type { Workers } from '../../../workers/workers.ts';
import { createBoard } from '../../logbook/board/board.ts';
import type { EntryDraft } from '../../logbook/draft.ts';
import { writeEntries } from '../../logbook/write.ts';
import { LateTasks } from './late-tasks.ts';

const MINUTE = 60_000;
const DOCK: TaskStop = { name: 'Dock 9', lat: 41.9, lon: -87.68, actions: [] };

let server: TestHttpServer;
let me: UserWithData;
let late: LateTasks;
let clock: number;
const workers = { run: async (_: number, __: string, asks: never) => reachAll(asks, true) } as unknown as Workers;
const watch = (bus: Bus = server.context.bus) =>
  new LateTasks(
    { ...server.context, bus },
    {
      ...{
        organisation: server.organisation,
        board: createBoard(server.organisation, { placeOf: () => null }, workers),
        workers,
      },
    },
  );

beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  me = await userWithData(server);
  await server.context.db.system.deleteFrom('task').execute();
  await server.context.db.system.deleteFrom('alert').execute();
  await keptLog(server, me);
  clock = Math.floor(Date.now() / 1000) * 1000;
  const at = clock - 3 * 24 * 60 * MINUTE;
  const draft: EntryDraft = {
    ...{ action: 'record', log: `driver:${me.driverId}`, device: `vehicle:${me.vehicleId}`, by: 'eld' },
    event: event('OFF', at, '', 'driver'),
  };
  const written = await writeEntries(server.context.db, me.accountId, [draft], () => OWNER, at);
  if (!written.ok) throw new Error(written.refusal);
  late = watch();
});

const iso = (ms: number): string => new Date(ms).toISOString();
/** The vehicle stands this many minutes away from the dock, at the estimate's speed. */
const standsAway = (minutes: number): void => {
  const miles = (minutes / 60) * 50;
  const lat = degrees(DOCK.lat + miles / 1.25 / 69.0936);
  const position = receivedPosition(clock, { lat, lon: degrees(DOCK.lon) });
  const state = advance(null, { receivedAt: position.receivedAt, positions: [position] }, () => {});
  server.live.set(me.accountId, Number(me.vehicleId), state);
};
const looks = async (times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    clock += MINUTE;
    await late.look(clock);
  }
};
async function taskDueIn(minutes: number, more: object = {}): Promise<string> {
  const body = {
    title: 'Deliver 12 pallets',
    ref: 'PO-1',
    driverId: me.driverId,
    vehicleId: me.vehicleId,
    stops: [DOCK],
  };
  const dueTo = iso(clock + minutes * MINUTE);
  const answer = await server.call('POST', '/api/v1/task', { token: me.token, body: { ...body, dueTo, ...more } });
  expect(answer.status).toBe(201);
  await server.context.feed.settled();
  return (answer.body as { id: string }).id;
}
const alerts = async () => {
  const { body } = await server.call('GET', '/api/v1/alert', { token: me.token });
  return listAlerts.response.parse(body).alerts.filter(({ kind }) => kind === 'taskLate');
};

describe('a task that will be late', () => {
  it('is one alert with its figures, as long as it lasts', async () => {
    standsAway(120);
    const id = await taskDueIn(90);
    await looks(1);
    expect(await alerts()).toEqual([]);
    await looks(5);
    const [alert, ...others] = await alerts();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      ...{ severity: 'warning', deviceId: me.vehicleId, driver: { id: me.driverId }, closedAt: null },
      task: { id, title: 'Deliver 12 pallets', ref: 'PO-1', reason: { code: 'distance' } },
    });
    expect((alert?.task?.lateS ?? 0) / 60).toBeCloseTo(32, -1);
    // A restart neither forgets nor repeats it.
    late = watch();
    await looks(3);
    expect((await alerts()).map(one => one.id)).toEqual([alert?.id]);
    standsAway(20);
    await looks(1);
    expect(await alerts()).toMatchObject([{ id: alert?.id, closedAt: iso(clock) }]);
    // The same again is news.
    standsAway(200);
    await looks(3);
    expect((await alerts()).filter(({ closedAt }) => closedAt === null)).toHaveLength(1);
  });

  it('ends when the task is over, is given to somebody else, or gets another window', async () => {
    for (const change of [{ dueTo: iso(clock + 600 * MINUTE) }, { driverId: null }, 'cancel'] as const) {
      standsAway(120);
      const id = await taskDueIn(60);
      await looks(3);
      expect((await alerts()).filter(({ closedAt }) => closedAt === null)).toHaveLength(1);
      const answer =
        change === 'cancel'
          ? await server.call('POST', `/api/v1/task/${id}/cancel`, { token: me.token, body: {} })
          : await server.call('PATCH', `/api/v1/task/${id}`, { token: me.token, body: change });
      expect(answer.status).toBe(200);
      await server.context.feed.settled();
      await looks(1);
      expect((await alerts()).filter(({ closedAt }) => closedAt === null)).toEqual([]);
      await server.call('POST', `/api/v1/task/${id}/cancel`, { token: me.token, body: {} });
    }
  });

  it('is late without a position once its window is over, and says nothing before', async () => {
    server.live.delete(me.accountId, Number(me.vehicleId));
    await taskDueIn(2);
    await looks(1);
    expect(await alerts()).toEqual([]);
    await looks(5);
    expect(await alerts()).toMatchObject([{ task: { arriveAt: null, reason: { code: 'window-over' } } }]);
  });

  it('is an alert of its own if its driver has no vehicle', async () => {
    const made = await server.call('POST', '/api/v1/driver', { token: me.token, body: { name: 'No Truck' } });
    await server.organisation.roster.settled();
    const { id: driverId } = made.body as { id: string };
    await taskDueIn(2, { driverId, vehicleId: null });
    await looks(6);
    expect(await alerts()).toMatchObject([
      { deviceId: null, deviceName: null, driver: { id: driverId }, task: { reason: { code: 'window-over' } } },
    ]);
  });

  it('doesn’t flap: whatever a vehicle near the limit does, an alert begins or ends only past the margin', async () => {
    const id = await taskDueIn(600);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: 4, maxLength: 10 }), async drift => {
        await server.context.db.system.deleteFrom('alert').execute();
        late = watch();
        const dueTo = iso(clock + 120 * MINUTE);
        await server.call('PATCH', `/api/v1/task/${id}`, { token: me.token, body: { dueTo } });
        await server.context.feed.settled();
        for (const minutes of drift) {
          standsAway((Date.parse(dueTo) - clock) / MINUTE - 1 + minutes);
          await looks(1);
        }
        expect(await alerts()).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  it('may be a later one, late only because of a task that was given in between', async () => {
    standsAway(20);
    const later = await taskDueIn(120);
    await looks(3);
    expect(await alerts()).toEqual([]);
    // Two hours of work at the same dock, before it.
    const first = await taskDueIn(60, { title: 'Unload', stops: [{ ...DOCK, serviceMin: 120 }] });
    await looks(3);
    expect(await alerts()).toMatchObject([{ task: { id: later }, closedAt: null }]);
    await server.call('POST', `/api/v1/task/${first}/cancel`, { token: me.token, body: {} });
    await server.context.feed.settled();
    await looks(2);
    expect((await alerts()).filter(({ closedAt }) => closedAt === null)).toEqual([]);
  });

  it('shows on the task when its driver will be there', async () => {
    standsAway(50);
    const id = await taskDueIn(90);
    await looks(1);
    expect(late.etaOf(Number(id))).toMatchObject({ at: iso(clock), reason: null });
    expect(Math.round((late.etaOf(Number(id))?.spareS ?? 0) / 60)).toBeCloseTo(39, -1);
  });
});

describe('several servers', () => {
  it('that do not look hear from the one that does when a driver will be there', async () => {
    const listeners = new Set<Listener>();
    const busOf = (nodeId: string): Bus => ({
      ...{ nodeId, isShared: true },
      listen: (_, listener) => {
        listeners.add(listener);
        return () => {};
      },
      publish: (_, payload) => {
        for (const listener of listeners) listener(payload, nodeId);
      },
      request: async () => ({ kind: 'nobody' }),
      serve: () => () => {},
      onReturn: () => () => {},
      trouble: () => null,
      awaySince: () => null,
      stop: async () => {},
    });
    const [leading, other] = [watch(busOf('one')), watch(busOf('two'))];
    standsAway(30);
    const id = Number(await taskDueIn(90));
    expect(other.etaOf(id)).toBeNull();
    await leading.look(clock + MINUTE);
    expect(other.etaOf(id)).toMatchObject({ arriveAt: expect.any(String), reason: null });
    expect(other.etaOf(id)).toEqual(leading.etaOf(id));
  });
});
