import { type Alert, listAlerts } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAlert } from '../../../testing/alerts.ts';
import { aCommand } from '../../../testing/commands.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { addNamedVehicle, callerOf, limit } from '../../../testing/organisation.ts';
import { receivedPosition, storePositions } from '../../../testing/stored-positions.ts';
import { dropOldPositions } from '../tenancy/retention.ts';

/** Users read and acknowledge alerts, and the server raises alerts that no tracker reports. */

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function read(who: SignedIn, query = ''): Promise<ReturnType<typeof listAlerts.response.parse>> {
  const answer = await server.call('GET', `/api/v1/alert${query}`, { token: who.token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return listAlerts.response.parse(answer.body);
}

/** The next announced change of a matching alert. */
const told = (is: (alert: Alert) => boolean): Promise<Alert> =>
  new Promise(resolve => {
    const end = server.context.signals.on('alert-changed', ({ alert }) => {
      if (!is(alert)) return;
      end();
      resolve(alert);
    });
  });

describe('the list', () => {
  it('is sorted newest first, in pages, and counts all open alerts', async () => {
    const owner = await signedIn(server);
    const vehicle = await addNamedVehicle(server, owner.accountId, '4127');
    const at = (hour: number) => new Date(Date.now() - hour * HOUR);
    const ids: string[] = [];
    for (const hour of [5, 4, 3, 2, 1]) {
      const fields = { kind: 'overspeed', severity: 'warning', opened_at: at(hour), closed_at: at(hour) };
      ids.unshift(await addAlert(server, owner.accountId, Number(vehicle.id), fields));
    }
    const first = await read(owner, '?limit=2');
    expect(first.alerts.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    expect(first.unacknowledged).toEqual({ critical: 0, warning: 5, info: 0 });
    expect(first.alerts[0]).toMatchObject({
      deviceName: '4127',
      imei: vehicle.imei,
      address: expect.stringContaining('Chicago'),
    });
    const second = await read(owner, `?limit=2&before=${first.alerts[1]?.id}`);
    expect(second.alerts.map(({ id }) => id)).toEqual(ids.slice(2, 4));
    const openedAt = [...first.alerts, ...second.alerts].map(alert => alert.openedAt);
    const between = await read(owner, `?from=${openedAt[2]}&to=${openedAt[1]}`);
    expect(between.alerts.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    expect(between.unacknowledged.warning).toBe(5);
  });

  it('contains only what the user may see', async () => {
    const owner = await signedIn(server);
    const viewer = await signedIn(server, { accountId: owner.accountId, role: 'viewer' });
    const [seen, hidden] = [
      await addNamedVehicle(server, owner.accountId, 'Seen'),
      await addNamedVehicle(server, owner.accountId, 'Hidden'),
    ];
    const call = callerOf(server, owner);
    const { id: folder } = (await call('POST', '/folder', { name: 'North' })).body as { id: string };
    await call('PATCH', `/folder/assign/${folder}`, { devices: [seen.id] });
    await server.directory.settled();
    await limit(server.context, viewer, { folders: [folder] });
    const ids = [
      await addAlert(server, owner.accountId, Number(seen.id)),
      await addAlert(server, owner.accountId, Number(hidden.id)),
    ];
    const list = await read(viewer);
    expect(list.alerts.map(({ deviceName }) => deviceName)).toEqual(['Seen']);
    expect(list.unacknowledged.critical).toBe(1);
    const dispatcher = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    await limit(server.context, dispatcher, { folders: [folder] });
    const answer = await callerOf(server, dispatcher)('POST', '/alert/acknowledge', { ids });
    expect([answer.status, (await read(owner)).unacknowledged.critical]).toEqual([404, 2]);
  });
});

describe('acknowledging', () => {
  it('applies to every user, keeps the first one’s name, and is announced', async () => {
    const owner = await signedIn(server);
    const colleague = await signedIn(server, { accountId: owner.accountId, role: 'dispatcher' });
    const vehicle = await addNamedVehicle(server, owner.accountId, '4128');
    const id = await addAlert(server, owner.accountId, Number(vehicle.id));
    const change = told(alert => alert.id === id);
    const first = await callerOf(server, owner)('POST', '/alert/acknowledge', { ids: [id] });
    expect(first.body).toMatchObject({ alerts: [{ id, acknowledgedBy: { id: owner.userId } }] });
    expect(await change).toMatchObject({ id, acknowledgedBy: { id: owner.userId } });
    const second = await callerOf(server, colleague)('POST', '/alert/acknowledge', { ids: [id, id] });
    expect(second.body).toMatchObject({ alerts: [{ id, acknowledgedBy: { id: owner.userId } }] });
    expect((await read(colleague, '?open=true')).alerts).toEqual([]);
    expect((await read(colleague, '?open=false')).alerts).toHaveLength(1);
    const log = await callerOf(server, owner)('GET', '/audit?action=alert');
    expect(log.body).toMatchObject({ entries: [{ action: 'alert.acknowledged', targetName: '4128' }] });
  });
});

describe('silence', () => {
  it('is an alert after the account’s own limit, and ends when the vehicle reports', async () => {
    const owner = await signedIn(server);
    await callerOf(server, owner)('PATCH', '/settings', { offlineAfterMinutes: 60 });
    const [quiet, lively] = [
      await addNamedVehicle(server, owner.accountId, 'Quiet'),
      await addNamedVehicle(server, owner.accountId, 'Lively'),
    ];
    // A vehicle that has never reported is not silent.
    await addNamedVehicle(server, owner.accountId, 'New');
    const now = Date.now();
    await storePositions(server, owner.accountId, Number(quiet.id), [receivedPosition(now - 61 * MINUTE)]);
    await storePositions(server, owner.accountId, Number(lively.id), [receivedPosition(now - MINUTE)]);

    const { silence } = server.alerts;
    // After a restart, the server gives trackers time to reconnect.
    await silence.look(now);
    expect((await read(owner)).alerts).toEqual([]);
    await silence.look(now + 6 * MINUTE);
    await silence.look(now + 7 * MINUTE);
    const { alerts } = await read(owner);
    expect(alerts.map(({ kind, deviceName, closedAt }) => [kind, deviceName, closedAt])).toEqual([
      ['silent', 'Quiet', null],
    ]);
    expect(Date.parse(alerts[0]?.openedAt ?? '')).toBe(now - MINUTE + 800);

    await storePositions(server, owner.accountId, Number(quiet.id), [receivedPosition(now + 6 * MINUTE)]);
    const change = told(({ id, closedAt }) => id === alerts[0]?.id && closedAt !== null);
    silence.heard([Number(quiet.id)]);
    expect((await change).closedAt).toBe(new Date(now + 6 * MINUTE + 800).toISOString());
    // Silent again: another alert, even if nobody has acknowledged the first.
    await silence.look(now + 3 * HOUR);
    const again = (await read(owner, `?deviceId=${quiet.id}`)).alerts;
    expect(again.map(({ closedAt }) => closedAt === null)).toEqual([true, false]);
  });
});

it('is deleted with the positions it refers to', async () => {
  const owner = await signedIn(server);
  await callerOf(server, owner)('PATCH', '/settings', { keepPositionsDays: 7 });
  const vehicle = await addNamedVehicle(server, owner.accountId, '4130');
  const at = (day: number) => {
    const opened = new Date(Date.now() - day * 24 * HOUR);
    return { kind: 'tow', opened_at: opened, updated_at: opened, closed_at: opened };
  };
  await addAlert(server, owner.accountId, Number(vehicle.id), at(8));
  const kept = await addAlert(server, owner.accountId, Number(vehicle.id), at(6));
  await dropOldPositions(server.context, server.live);
  expect((await read(owner)).alerts.map(({ id }) => id)).toEqual([kept]);
});

describe('commands', () => {
  it('that act on a vehicle and fail raise one alert', async () => {
    const owner = await signedIn(server);
    const { id, imei } = await addNamedVehicle(server, owner.accountId, '4129');
    const vehicle = { id: Number(id), imei };
    const emit = (command: ReturnType<typeof aCommand>) =>
      server.context.signals.emit('command-changed', { accountId: owner.accountId, vehicleId: vehicle.id, command });
    const stopped = aCommand(vehicle, { action: 'engineStop', category: 'control', state: 'expired' });
    emit(aCommand(vehicle, { state: 'failed' }));
    emit({ ...stopped, state: 'queued' });
    const change = told(({ commandId }) => commandId === stopped.id);
    emit(stopped);
    expect(await change).toMatchObject({ kind: 'commandFailed', severity: 'warning', deviceName: '4129' });
    emit({ ...stopped, state: 'failed' });
    expect((await read(owner)).alerts).toHaveLength(1);
  });
});
