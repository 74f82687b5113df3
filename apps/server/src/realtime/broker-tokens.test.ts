import { setTimeout as sleep } from 'node:timers/promises';
import { deviceTopic, type Permission, userTopic } from '@milepost/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { type SignedIn, signedIn } from '../../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../../testing/ingest.ts';
import { closed, granted, MqttClients, messagesTo, outcome, positionReport } from '../../testing/mqtt.ts';
import { MQTT_LIMITS } from './connect-rules.ts';

let test: TestApp;
let clients: MqttClients;
let person: SignedIn;
let vehicle: TestVehicle;
beforeAll(async () => {
  test = await startApp();
  clients = new MqttClients(test);
  person = await signedIn(test);
  vehicle = await addVehicle(test.context, person.accountId);
  await sleep(50);
});
afterAll(() => test.close());
afterEach(() => clients.endAll());

const newToken = (scopes: readonly Permission[] = ['vehicles.read', 'commands.read'], of = person) =>
  test.sessions.open({
    ...{ accountId: of.accountId, userId: of.userId },
    apiToken: { name: 'Warehouse', scopes, expiresAt: new Date(Date.now() + 600_000) },
  });

describe('[N14] a program with an API token', () => {
  it('gets the live positions of a vehicle that its user sees', async () => {
    const { token } = await newToken();
    const program = await clients.program(person, token);
    const messages = messagesTo(program);
    expect(await granted(program, deviceTopic(vehicle.imei))).toBe(true);
    const tracker = await clients.device(vehicle);
    await tracker.publishAsync(deviceTopic(vehicle.imei), JSON.stringify(positionReport()), { qos: 1 });
    await vi.waitFor(() => expect(messages.map(({ topic }) => topic)).toContain(deviceTopic(vehicle.imei)), 10_000);
  });

  it('needs the name of the token’s user, and no session of a browser does', async () => {
    const { token } = await newToken();
    const refusals = await Promise.all(
      [
        { username: 'someone', password: token },
        { username: person.userName, password: `${token}x` },
        { username: person.userName, password: person.token },
        // Clients whose IDs say that they are trackers or browsers are held to it.
        { clientId: vehicle.imei, username: person.userName, password: token },
        { clientId: `${person.userId}.1`, username: person.userName, password: token },
      ].map((credentials, i) => outcome(clients.connect({ clientId: `warehouse-${i}`, ...credentials }))),
    );
    expect(refusals).toEqual(refusals.map(() => expect.stringMatching(/Bad username or password/)));
  });

  it('hears nothing without the scope, of the whole fleet, or of commands, and sends no commands', async () => {
    const { token: blind } = await newToken(['alerts.read']);
    expect(await granted(await clients.program(person, blind), deviceTopic(vehicle.imei))).toBe(false);
    const { token } = await newToken();
    const program = await clients.program(person, token);
    for (const topic of ['device/+', '#', '$SYS/#', userTopic(vehicle.imei), '$share/x/device/+']) {
      expect([topic, await granted(program, topic)]).toEqual([topic, false]);
    }
    const ended = closed(program);
    program.publish(userTopic(vehicle.imei), '{"action":"positionPacket"}', { qos: 1 });
    await ended;
  });

  it('is cut when the token is revoked, and can’t come back', async () => {
    const [revoked, other] = [await newToken(), await newToken()];
    const [first, second, kept] = await Promise.all([
      clients.program(person, revoked.token),
      clients.program(person, revoked.token),
      clients.program(person, other.token),
    ]);
    const ends = Promise.all([closed(first), closed(second)]);
    await test.sessions.end([revoked.sessionId]);
    await ends;
    expect(kept.connected).toBe(true);
    const again = { clientId: 'again', username: person.userName, password: revoked.token };
    expect(await outcome(clients.connect(again))).toMatch(/Bad username or password/);
  });

  it('is cut when its user’s rights change', async () => {
    const user = await signedIn(test, { accountId: person.accountId, role: 'dispatcher' });
    const { token } = await newToken(['vehicles.read'], user);
    const program = await clients.program(user, token);
    expect(await granted(program, deviceTopic(vehicle.imei))).toBe(true);
    const ended = closed(program);
    await test.context.db.system
      .updateTable('app_user')
      .set({ role: 'driver' })
      .where('id', '=', user.userId)
      .execute();
    await ended;
    expect(await granted(await clients.program(user, token), deviceTopic(vehicle.imei))).toBe(false);
  });

  it('has a limited number of connections', async () => {
    const { token } = await newToken();
    await Promise.all(Array.from({ length: MQTT_LIMITS.ofToken }, () => clients.program(person, token)));
    const more = { clientId: 'one-more', username: person.userName, password: token };
    expect(await outcome(clients.connect(more))).toMatch(/Bad username or password/);
    expect((await clients.program(person, (await newToken()).token)).connected).toBe(true);
  });
});
