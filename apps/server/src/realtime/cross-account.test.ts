import { PERMISSIONS, TOPIC_KINDS } from '@milepost/contract';
import type { MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { signedIn } from '../../testing/http-server.ts';
import { testImei } from '../../testing/imei.ts';
import { addVehicle } from '../../testing/ingest.ts';
import { MqttClients } from '../../testing/mqtt.ts';

/**
 * Invariant I2, for every kind of topic in the contract, over the wire; new kinds are included automatically. Which
 * of one's own may be used is `rights.test.ts`.
 */

let test: TestApp;
let clients: MqttClients;
beforeAll(async () => {
  test = await startApp();
  clients = new MqttClients(test);
});
afterAll(async () => {
  clients.endAll();
  await test.close();
});

/** By what the server does: grants, accepts, refuses or disconnects. */
async function tried(client: MqttClient, topic: string): Promise<readonly string[]> {
  const subscribed = await client.subscribeAsync(topic).then(
    grants => (grants.some(({ qos }) => qos === 128) ? 'refused' : 'granted'),
    () => 'refused',
  );
  const published = await Promise.race([
    client.publishAsync(topic, '{"action":"positionPacket"}', { qos: 1 }).then(
      () => 'taken',
      () => 'refused',
    ),
    new Promise<string>(resolve => client.once('close', () => resolve('refused'))),
  ]);
  return [subscribed, published];
}

it.each(TOPIC_KINDS)('[R6.04] %s/{imei} of another account is refused like one of no vehicle', async kind => {
  const [mine, theirs] = [await signedIn(test), await signedIn(test)];
  const apiToken = { name: 'x', scopes: PERMISSIONS, expiresAt: new Date(Date.now() + 600_000) };
  const { token } = await test.sessions.open({ ...mine, apiToken });
  const [own, foreign] = [
    await addVehicle(test.context, mine.accountId),
    await addVehicle(test.context, theirs.accountId),
  ];
  // The broker learns of a new vehicle a moment later.
  await expect
    .poll(() =>
      clients.device(own).then(
        ({ connected }) => connected,
        () => false,
      ),
    )
    .toBe(true);
  for (const imei of [foreign.imei, testImei(999)]) {
    expect(await tried(await clients.browser(mine), `${kind}/${imei}`)).toEqual(['refused', 'refused']);
    expect(await tried(await clients.program(mine, token), `${kind}/${imei}`)).toEqual(['refused', 'refused']);
    expect(await tried(await clients.device(own), `${kind}/${imei}`)).toEqual(['refused', 'refused']);
  }
});
