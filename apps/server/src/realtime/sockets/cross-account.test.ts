import {
  type Alert,
  type GeofenceAlert,
  type NamespaceEvents,
  SOCKET_EVENTS,
  type SocketNamespace,
} from '@milepost/contract';
import type { Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { aCommand } from '../../../testing/commands.ts';
import { call } from '../../../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../../../testing/ingest.ts';
import { limit } from '../../../testing/organisation.ts';
import { type Person, type PersonOptions, person } from '../../../testing/people.ts';
import { heardBy, joined } from '../../../testing/sockets.ts';

/**
 * Invariant I2, for every event of the sockets' table in the contract: an event that has no line here does not compile,
 * and one that another account hears or may ask fails.
 */

let test: TestApp;
const sockets: Socket[] = [];
beforeAll(async () => {
  test = await startApp();
});
afterAll(async () => {
  for (const socket of sockets) socket.disconnect();
  await test.close();
});

const someone = (options: PersonOptions = {}) =>
  person({ ...test, call: (method, path, more) => call(test.url, method, path, more) }, options);

async function socketOf(who: Person, namespace: SocketNamespace): Promise<Socket> {
  const socket = await joined(test.url, namespace, who.token);
  sockets.push(socket);
  return socket;
}

interface Fleet {
  readonly owner: Person;
  readonly vehicle: TestVehicle;
  /** A driver of the account, who is signed in as someone. */
  readonly driver: Person & { readonly driverId: string };
}

async function fleet(): Promise<Fleet> {
  const owner = await someone();
  const vehicle = await addVehicle(test.context, owner.accountId);
  const signedIn = await someone({ accountId: owner.accountId, role: 'driver' });
  const { body } = await owner.call('POST', 'driver', { name: 'Dana Whitlock', userId: signedIn.userId });
  // The directory knows the vehicle, and the roster the driver.
  await expect.poll(async () => (await owner.call('GET', `driver/${(body as { id: string }).id}`)).status).toBe(200);
  await expect.poll(async () => (await owner.call('GET', `device/${vehicle.id}`)).status).toBe(200);
  return { owner, vehicle, driver: { ...signedIn, driverId: (body as { id: string }).id } };
}

const geofenceAlert = ({ id, imei }: TestVehicle): GeofenceAlert => ({
  v: 1,
  id: `ga_${id}`,
  type: 'exit',
  severity: 'warning',
  fence: { id: 'gf_1', name: 'Depot', kind: 'circle', color: null },
  vehicle: { deviceId: String(id), imei, deviceName: 'Unit' },
  driver: null,
  rule: null,
  state: 'opened',
  count: 1,
  at: new Date().toISOString(),
  receivedAt: new Date().toISOString(),
  late: false,
  position: null,
  dwellSeconds: 0,
  distanceToEdgeM: null,
  confidence: null,
  message: 'Unit left Depot',
  ack: null,
  link: '/geo-fence',
});

const taskFor = (driverId: string) => ({ taskId: 't_88', seqNo: 1, title: 'Deliver 12 pallets', driverId });

const EVENTS: Readonly<Record<SocketNamespace, NamespaceEvents>> = SOCKET_EVENTS;

type ToldNames = { [N in SocketNamespace]: keyof (typeof SOCKET_EVENTS)[N]['told'] };
/** How each event comes about; answers a piece of text that stands in it. */
const CAUSES: { readonly [N in SocketNamespace]: Readonly<Record<ToldNames[N], (of: Fleet) => Promise<string>>> } = {
  '/eld': {
    alert_changed: async ({ owner, vehicle }) => {
      const id = await addAlert(test, owner.accountId, vehicle.id);
      await owner.call('POST', 'alert/acknowledge', { ids: [id] });
      return id;
    },
    command_changed: async ({ owner, vehicle }) => {
      const command = aCommand(vehicle);
      test.context.signals.emit('command-changed', { accountId: owner.accountId, vehicleId: vehicle.id, command });
      return command.id;
    },
    assignedTaskToDriver: async ({ owner, driver }) => {
      const socket = await socketOf(owner, '/eld');
      const answer = await socket.emitWithAck('assignedTaskToDriver', taskFor(driver.driverId));
      expect(answer).toEqual({ delivered: 1 });
      return 'Deliver 12 pallets';
    },
    changes: async ({ owner, vehicle }) => {
      await owner.call('PATCH', `device/${vehicle.id}`, { deviceName: `Renamed ${vehicle.id}` });
      return `"id":"${vehicle.id}"`;
    },
  },
  '/geofence': {
    geofence_alert: async ({ owner, vehicle }) => {
      const alert = geofenceAlert(vehicle);
      test.context.signals.emit('geofence-alert', { accountId: owner.accountId, vehicleId: vehicle.id, alert });
      return alert.id;
    },
  },
};

type AskedNames = { [N in SocketNamespace]: keyof (typeof SOCKET_EVENTS)[N]['asked'] };
/** A good question about what a fleet has, and what someone of another account is answered. */
const QUESTIONS: {
  readonly [N in SocketNamespace]: Readonly<
    Record<AskedNames[N], { ask(of: Fleet): unknown; toOthers(of: Fleet): unknown }>
  >;
} = {
  '/eld': {
    assignedTaskToDriver: {
      ask: ({ driver }) => taskFor(driver.driverId),
      toOthers: () => ({ error: { code: 'not-found', message: expect.any(String) } }),
    },
    // Nobody can ask for what others have: the number says only how long one was away.
    follow_changes: {
      ask: () => ({ since: null }),
      toOthers: () => ({ number: expect.any(Number), changes: [] }),
    },
  },
  '/geofence': {
    register_vehicles: {
      ask: ({ vehicle }) => ({ vehicles: [{ imei: vehicle.imei }] }),
      toOthers: ({ vehicle }) => ({ registered: 0, ignored: [vehicle.imei] }),
    },
  },
};

const eventsOf = <T>(table: Readonly<Record<string, Readonly<Record<string, T>>>>) =>
  Object.entries(table).flatMap(([namespace, events]) =>
    Object.entries(events).map(([name, event]) => [namespace as SocketNamespace, name, event] as const),
  );

async function register(socket: Socket, { imei }: TestVehicle): Promise<unknown> {
  return socket.emitWithAck('register_vehicles', { vehicles: [{ imei }] });
}

describe('[R6.04] [R7.36] [R7.37] what is sent', () => {
  it.each(eventsOf(CAUSES))(
    'on %s as %s reaches whom it is for, and nobody of another account',
    async (namespace, name, cause) => {
      const [mine, theirs] = [await fleet(), await fleet()];
      const isForDriver = EVENTS[namespace].told[name]?.about === 'driver';
      const listener = await socketOf(isForDriver ? theirs.driver : theirs.owner, namespace);
      const strangers = await Promise.all([mine.owner, mine.driver].map(who => socketOf(who, namespace)));
      if (namespace === '/geofence') {
        // Also anyone who asks for what is not theirs.
        for (const socket of [listener, ...strangers]) await register(socket, theirs.vehicle);
      }
      if (name === 'changes') {
        for (const socket of [listener, ...strangers]) await socket.emitWithAck('follow_changes', { since: null });
      }
      const [heard, ...others] = [listener, ...strangers].map(heardBy);
      const told = await cause(theirs);
      await expect.poll(() => heard?.events.map(([event]) => event)).toContain(name);
      const event = heard?.events.find(([event]) => event === name);
      expect(EVENTS[namespace].told[name]?.payload.safeParse(event?.[1]).error).toBeUndefined();
      expect(JSON.stringify(event)).toContain(told);
      for (const other of others) {
        await other.settled();
        expect(other.events).toEqual([]);
      }
    },
  );

  it('on /eld as alert_changed reaches nobody who does not see the vehicle, or has no right to alerts', async () => {
    const { owner, vehicle, driver } = await fleet();
    const viewer = await someone({ accountId: owner.accountId, role: 'viewer' });
    await limit(test.context, viewer, { folders: ['2000000000'] });
    const unseen = await Promise.all([viewer, driver].map(async who => heardBy(await socketOf(who, '/eld'))));
    const heard = heardBy(await socketOf(owner, '/eld'));
    await CAUSES['/eld'].alert_changed({ owner, vehicle, driver });
    await expect.poll(() => heard.events.length).toBe(1);
    for (const each of unseen) {
      await each.settled();
      expect(each.events).toEqual([]);
    }
  });
});

it('[R6.04] alert_changed about a task without a vehicle reaches who sees the task, and nobody else', async () => {
  const { owner, driver, vehicle } = await fleet();
  const { owner: stranger } = await fleet();
  const { accountId } = owner;
  const here = await someone({ accountId, role: 'dispatcher' });
  const limited = await someone({ accountId, role: 'dispatcher' });
  for (const who of [here, limited]) await limit(test.context, who, { departments: ['2000000000'] });
  const made = await here.call('POST', 'task', { title: 'Deliver', stops: [] });
  const { id: taskId } = made.body as { id: string };
  const hear = async (who: Person) => heardBy(await socketOf(who, '/eld'));
  const heard = await Promise.all([owner, here].map(hear));
  const unseen = await Promise.all([limited, driver, stranger].map(hear));
  const task = { title: 'Deliver', ref: null, dueTo: null, arriveAt: null, lateS: null, reason: null };
  const id = await addAlert(test, accountId, vehicle.id, {
    ...{ vehicle_id: null, kind: 'taskNoDriver', event: null },
    ...{ task_id: Number(taskId), task: JSON.stringify(task) as never },
  });
  test.context.signals.emit('alerts-written', { ids: [id] });
  const alertsOf = ({ events }: (typeof heard)[number]) =>
    events.flatMap(([name, alert]) => (name === 'alert_changed' ? [(alert as Alert).id] : []));
  for (const each of heard) await expect.poll(() => alertsOf(each)).toEqual([id]);
  for (const each of unseen) {
    await each.settled();
    expect(alertsOf(each)).toEqual([]);
  }
});

it('[R6.04] [R7.37] alert_changed names the other vehicle of a rule only to those who see that one', async () => {
  const { owner, vehicle } = await fleet();
  const other = await addVehicle(test.context, owner.accountId);
  const folder = async (name: string, id: number) => {
    const { body } = await owner.call('POST', 'folder', { name });
    const folderId = (body as { id: string }).id;
    expect((await owner.call('PATCH', `device/${id}`, { folderId })).status).toBe(200);
    return folderId;
  };
  const [here, there] = [await folder('Here', vehicle.id), await folder('There', other.id)];
  const told = await Promise.all(
    [[here], [here, there]].map(async folders => {
      const viewer = await someone({ accountId: owner.accountId, role: 'viewer' });
      await limit(test.context, viewer, { folders });
      return heardBy(await socketOf(viewer, '/eld'));
    }),
  );
  const rule = { name: 'Close', action: null, geofence: null, other: { id: other.id, name: 'Crane 7' } };
  const fields = { kind: 'rule', event: null, rule: JSON.stringify(rule) as never };
  const id = await addAlert(test, owner.accountId, vehicle.id, fields);
  await owner.call('POST', 'alert/acknowledge', { ids: [id] });
  const names = () => told.map(({ events }) => events.map(([, alert]) => (alert as Alert).rule?.other));
  await expect.poll(names).toEqual([[null], [{ deviceId: String(other.id), name: 'Crane 7' }]]);
});

describe('[R6.04] what is asked', () => {
  it.each(eventsOf(QUESTIONS))(
    'on %s as %s is answered about what is one’s own, and not about others',
    async (namespace, name, question) => {
      const [mine, theirs] = [await fleet(), await fleet()];
      const socket = await socketOf(mine.owner, namespace);
      const own = await socket.emitWithAck(name, question.ask(mine));
      expect(EVENTS[namespace].asked[name]?.answer.safeParse(own).error).toBeUndefined();
      expect(await socket.emitWithAck(name, question.ask(theirs))).toEqual(question.toOthers(theirs));
    },
  );

  it('on /eld as assignedTaskToDriver needs the right, and leaves its entry in the audit log', async () => {
    const { owner, driver } = await fleet();
    const viewer = await socketOf(await someone({ accountId: owner.accountId, role: 'viewer' }), '/eld');
    expect(await viewer.emitWithAck('assignedTaskToDriver', taskFor(driver.driverId))).toMatchObject({
      error: { code: 'not-allowed' },
    });
    const dispatcher = await socketOf(await someone({ accountId: owner.accountId, role: 'dispatcher' }), '/eld');
    expect(await dispatcher.emitWithAck('assignedTaskToDriver', taskFor(driver.driverId))).toEqual({ delivered: 0 });
    const { body } = await owner.call('GET', 'audit?action=task');
    expect(body).toMatchObject({ entries: [{ action: 'task.assigned', targetName: 'Dana Whitlock' }] });
  });
});

it('[R7.37] registration only narrows: what is out of the list is not told', async () => {
  const { owner, vehicle, driver } = await fleet();
  const other = await addVehicle(test.context, owner.accountId);
  await expect.poll(async () => (await owner.call('GET', `device/${other.id}`)).status).toBe(200);
  const socket = await socketOf(owner, '/geofence');
  const heard = heardBy(socket);
  expect(await register(socket, other)).toEqual({ registered: 1, ignored: [] });
  await CAUSES['/geofence'].geofence_alert({ owner, vehicle, driver });
  const told = await CAUSES['/geofence'].geofence_alert({ owner, vehicle: other, driver });
  await expect.poll(() => heard.events.map(([, payload]) => (payload as GeofenceAlert).id)).toEqual([told]);
});

it('[R7.38] a vehicle that is deleted is told to those who registered it, and registered no more', async () => {
  const { owner, vehicle } = await fleet();
  const stranger = await fleet();
  const [socket, elsewhere] = [await socketOf(owner, '/geofence'), await socketOf(stranger.owner, '/geofence')];
  const [heard, heardElsewhere] = [heardBy(socket), heardBy(elsewhere)];
  expect(await register(socket, vehicle)).toEqual({ registered: 1, ignored: [] });
  await register(elsewhere, vehicle);
  expect((await owner.call('DELETE', `device/${vehicle.id}`)).status).toBe(200);
  await expect.poll(() => heard.events).toHaveLength(1);
  expect(heard.events[0]).toMatchObject([
    'geofence_alert',
    { type: 'deleted', fence: null, vehicle: { deviceId: String(vehicle.id), imei: vehicle.imei } },
  ]);
  expect(await register(socket, vehicle)).toEqual({ registered: 0, ignored: [vehicle.imei] });
  expect(heardElsewhere.events).toEqual([]);
});
