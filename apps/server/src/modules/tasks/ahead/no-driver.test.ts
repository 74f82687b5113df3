import { type Alert, listAlerts, type TaskStop } from '@milepost/contract';
import { reachAll } from '@milepost/hos';
import { degrees } from '@milepost/units';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../../testing/cross-account/account-data.ts';
import { keptLog } from '../../../../testing/cross-account/kept-log.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../../testing/http-server.ts';
import { event, OWNER } from '../../../../testing/logbook.ts';
import { callerOf, limit } from '../../../../testing/organisation.ts';
import { receivedPosition } from '../../../../testing/stored-positions.ts';
import { advance } from '../../../fleet/vehicle-state.ts';
import type { Workers } from '../../../workers/workers.ts';
import { createBoard } from '../../logbook/board/board.ts';
import type { EntryDraft } from '../../logbook/draft.ts';
import { writeEntries } from '../../logbook/write.ts';
import { TasksWithoutDriver } from './no-driver.ts';

const MINUTE = 60_000;
const DOCK: TaskStop = { name: 'Dock 9', lat: 41.9, lon: -87.68, actions: [] };

let server: TestHttpServer;
let me: UserWithData;
let ahead: TasksWithoutDriver;
let clock: number;
const workers = { run: async (_: number, __: string, asks: never) => reachAll(asks, true) } as unknown as Workers;
const watch = () =>
  new TasksWithoutDriver(server.context, {
    ...{
      organisation: server.organisation,
      board: createBoard(server.organisation, { placeOf: () => null }, workers),
      workers,
    },
  });

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
  ahead = watch();
});

const iso = (ms: number): string => new Date(ms).toISOString();
/** The only driver’s vehicle stands this many minutes away from the dock, at the estimate's speed. */
const standsAway = (minutes: number): void => {
  const lat = degrees(DOCK.lat + ((minutes / 60) * 50) / 1.25 / 69.0936);
  const position = receivedPosition(clock, { lat, lon: degrees(DOCK.lon) });
  const state = advance(null, { receivedAt: position.receivedAt, positions: [position] }, () => {});
  server.live.set(me.accountId, Number(me.vehicleId), state);
};
const looks = async (times: number): Promise<void> => {
  for (let i = 0; i < times; i++) {
    clock += MINUTE;
    await ahead.look(clock);
  }
};
async function openTask(minutes: number, by: Pick<SignedIn, 'token'> = me): Promise<string> {
  const body = { title: 'Deliver 12 pallets', ref: 'PO-1', stops: [DOCK], dueTo: iso(clock + minutes * MINUTE) };
  const answer = await callerOf(server, by)('POST', '/task', body);
  expect(answer.status).toBe(201);
  await server.context.feed.settled();
  return (answer.body as { id: string }).id;
}
const alertsOf = async (reader: Pick<SignedIn, 'token'>, query = ''): Promise<Alert[]> => {
  const { body } = await callerOf(server, reader)('GET', `/alert${query}`);
  return listAlerts.response.parse(body).alerts.filter(({ kind }) => kind === 'taskNoDriver');
};
const lasting = async () => (await alertsOf(me)).filter(({ closedAt }) => closedAt === null);
const change = async (id: string, fields: object) => {
  expect((await callerOf(server, me)('PATCH', `/task/${id}`, fields)).status).toBe(200);
  await server.context.feed.settled();
};

describe('an open task that no driver can make', () => {
  it('is one alert about the task alone, which says how many drivers can’t, and ends when one can', async () => {
    standsAway(120);
    const id = await openTask(90);
    await looks(1);
    expect(await alertsOf(me)).toEqual([]);
    await looks(3);
    const [alert, ...others] = await alertsOf(me);
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      ...{ severity: 'warning', deviceId: null, imei: null, deviceName: null, driver: null, closedAt: null },
      ...{ lat: DOCK.lat, lon: DOCK.lon },
      task: { id, title: 'Deliver 12 pallets', ref: 'PO-1', reason: { code: 'distance' }, drivers: { cannot: 1 } },
    });
    // A restart neither forgets nor repeats it.
    ahead = watch();
    await looks(3);
    expect((await alertsOf(me)).map(one => one.id)).toEqual([alert?.id]);
    standsAway(20);
    await looks(1);
    expect(await alertsOf(me)).toMatchObject([{ id: alert?.id, closedAt: iso(clock) }]);
  });

  it('ends when someone has it, it is canceled, or its window changes', async () => {
    for (const what of [{ driverId: 'mine' }, { dueTo: iso(clock + 600 * MINUTE) }, 'cancel'] as const) {
      standsAway(120);
      const id = await openTask(60);
      await looks(3);
      expect(await lasting()).toHaveLength(1);
      if (what !== 'cancel') await change(id, 'driverId' in what ? { driverId: me.driverId } : what);
      await callerOf(server, me)('POST', `/task/${id}/cancel`, {});
      await server.context.feed.settled();
      await looks(1);
      expect(await lasting()).toEqual([]);
    }
  });

  it('says nothing while nothing is known of anyone, until its window is over', async () => {
    server.live.delete(me.accountId, Number(me.vehicleId));
    await openTask(3);
    await looks(2);
    expect(await alertsOf(me)).toEqual([]);
    await looks(5);
    expect(await alertsOf(me)).toMatchObject([{ task: { arriveAt: null, reason: { code: 'window-over' } } }]);
  });

  it('asks one driver after the other, the nearest first, until one can make it', async () => {
    let asked = 0;
    const run = async (_: number, __: string, asks: never[]) => {
      asked += asks.length;
      return reachAll(asks as never, true);
    };
    ahead = new TasksWithoutDriver(server.context, {
      organisation: server.organisation,
      board: createBoard(server.organisation, { placeOf: () => null }, workers),
      workers: { run } as unknown as Workers,
    });
    standsAway(10);
    await openTask(600);
    await looks(1);
    expect(asked).toBe(1);
    // One with much to spare isn't looked at every minute.
    await looks(4);
    expect(asked).toBe(1);
    await looks(2);
    expect(asked).toBe(2);
  });

  it('is turned off, and more severe, as the account chose', async () => {
    const owner = callerOf(server, me);
    expect((await owner('PATCH', '/built-in-rule/taskNoDriver', { severity: 'critical' })).status).toBe(200);
    // It has no vehicle and no driver to be limited to.
    const some = { vehicles: { folderIds: [me.folderId], deviceIds: [] } };
    expect((await owner('PATCH', '/built-in-rule/taskNoDriver', some)).status).toBe(400);
    standsAway(120);
    await openTask(60);
    await looks(3);
    expect(await lasting()).toMatchObject([{ severity: 'critical' }]);
    expect((await owner('PATCH', '/built-in-rule/taskNoDriver', { isOn: false })).status).toBe(200);
    expect(await lasting()).toEqual([]);
    ahead = watch();
    await looks(3);
    expect(await lasting()).toEqual([]);
  });
});

describe('[R6.04] who sees an alert of a task without a vehicle', () => {
  const someone = async (role: 'dispatcher' | 'viewer' | 'driver', departments?: readonly string[]) => {
    const user = await signedIn(server, { accountId: me.accountId, role });
    if (departments) await limit(server.context, user, { departments });
    return user;
  };

  it('is who sees the task: whoever created it, and anyone who sees the whole account; nobody else', async () => {
    const [all, limited, creator] = [
      await someone('dispatcher'),
      await someone('dispatcher', [me.departmentId]),
      await someone('dispatcher', [me.departmentId]),
    ];
    const [driver, stranger] = [await someone('driver'), await userWithData(server)];
    // May read alerts, and not tasks.
    const answer = await callerOf(server, me)('POST', '/api_token', {
      ...{ name: 'Alerts', scopes: ['alerts.read', 'alerts.write'], expiresInDays: 1, password: me.password },
    });
    const token = answer.body as { token: string };
    const seen = [me, all, creator];
    const unseen = [limited, driver, stranger];
    standsAway(120);
    await openTask(60, creator);
    await looks(3);
    const [alert] = await lasting();
    for (const user of seen) expect((await alertsOf(user)).map(({ id }) => id)).toEqual([alert?.id]);
    for (const user of [...unseen.slice(0, 1), stranger, token]) expect(await alertsOf(user)).toEqual([]);
    // Of one vehicle, it is no alert.
    expect(await alertsOf(me, `?deviceId=${me.vehicleId}`)).toEqual([]);
    const acknowledge = (user: Pick<SignedIn, 'token'>) =>
      callerOf(server, user)('POST', '/alert/acknowledge', { ids: [alert?.id] });
    for (const user of [limited, stranger, token]) expect((await acknowledge(user)).status).toBe(404);
    expect((await acknowledge(creator)).status).toBe(200);
  });

  it('is who sees its driver, once it is late and the driver has no vehicle', async () => {
    const { body } = await callerOf(server, me)('POST', '/driver', {
      ...{ name: 'No Truck', departmentId: me.departmentId },
    });
    const driverId = Number((body as { id: string }).id);
    const [theirs, others] = [
      await someone('dispatcher', [me.departmentId]),
      await someone('dispatcher', ['2000000000']),
    ];
    await server.organisation.roster.settled();
    const task = JSON.stringify({
      title: 'Pick up',
      ref: null,
      dueTo: null,
      arriveAt: null,
      lateS: null,
      reason: null,
    });
    await server.context.db.system
      .insertInto('alert')
      .values({
        ...{ id: crypto.randomUUID(), account_id: me.accountId, vehicle_id: null, kind: 'taskLate' },
        ...{ severity: 'warning', event: null, opened_at: new Date(), updated_at: new Date(), closed_at: null },
        ...{ lat: null, lon: null, driver_id: driverId, command_id: null, acknowledged_at: null },
        ...{ acknowledged_by: null, task: task as never },
      })
      .execute();
    const late = async (user: SignedIn) => {
      const { body } = await callerOf(server, user)('GET', '/alert');
      return listAlerts.response.parse(body).alerts.map(({ kind }) => kind);
    };
    expect(await late(theirs)).toEqual(['taskLate']);
    expect(await late(others)).toEqual([]);
  });
});
