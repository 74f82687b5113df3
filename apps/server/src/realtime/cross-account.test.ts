import { TOPIC_KINDS } from '@milepost/contract';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messagingCredential } from '../modules/accounts/sessions.ts';
import { startApp, type TestApp } from '../testing/app.ts';
import { type SignedIn, signedIn } from '../testing/http-server.ts';
import { testImei } from '../testing/imei.ts';
import { addVehicle, DEVICE_KEY } from '../testing/ingest.ts';

/**
 * Invariant I2, for every kind of topic in the contract and over the wire: a new one is tried without being told. Which
 * of one's own may be used is `rights.test.ts`.
 */

let test: TestApp;
const open: MqttClient[] = [];
beforeAll(async () => {
  test = await startApp();
});
afterAll(async () => {
  for (const client of open) client.end(true);
  await test.close();
});

async function connect(options: mqtt.IClientOptions): Promise<MqttClient> {
  const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${test.port('mqtt')}`, { reconnectPeriod: 0, ...options });
  open.push(client);
  return client;
}
const browser = ({ userId, userName, token }: SignedIn) =>
  connect({ clientId: `${userId}.1`, username: userName, password: messagingCredential(token) });
const tracker = (imei: string) => connect({ clientId: imei, username: imei, password: DEVICE_KEY });

/** Told apart by what the server does: grants, takes, refuses or hangs up. */
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
  const [own, foreign] = [
    await addVehicle(test.context, mine.accountId),
    await addVehicle(test.context, theirs.accountId),
  ];
  // The broker knows a new vehicle a moment later.
  await expect
    .poll(() =>
      tracker(own.imei).then(
        ({ connected }) => connected,
        () => false,
      ),
    )
    .toBe(true);
  for (const imei of [foreign.imei, testImei(999)]) {
    expect(await tried(await browser(mine), `${kind}/${imei}`)).toEqual(['refused', 'refused']);
    expect(await tried(await tracker(own.imei), `${kind}/${imei}`)).toEqual(['refused', 'refused']);
  }
});
