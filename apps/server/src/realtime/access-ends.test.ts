import { meSchema } from '@milepost/contract';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../testing/app.ts';
import { call } from '../../testing/http-server.ts';
import { PASSWORD, type Person, type PersonOptions, person } from '../../testing/people.ts';

/** Users whose access ends are also disconnected from live messaging, without sending anything. */

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

const someone = (options: PersonOptions = {}) =>
  person({ ...test, call: (method, path, more) => call(test.url, method, path, more) }, options);

/** A browser on live messaging, and a promise of its disconnection. */
async function browser(who: Pick<Person, 'call'>): Promise<{ client: MqttClient; ended: Promise<void> }> {
  const { messaging } = meSchema.parse((await who.call('GET', 'read_me')).body);
  const client = mqtt.connect(`${test.url.replace('http', 'ws')}/mqtt`, {
    clientId: `${messaging.clientIdPrefix}.tab`,
    username: messaging.userName,
    password: messaging.password,
    reconnectPeriod: 0,
  });
  await new Promise<void>((resolve, reject) => {
    client.once('connect', () => resolve());
    client.once('error', reject);
  });
  return { client, ended: new Promise<void>(resolve => client.once('close', () => resolve())) };
}

const update = (who: Person, id: string, change: object) => who.call('PATCH', `update_my_user/${id}`, change);

it.each<[string, (owner: Person, bob: Person) => Promise<unknown>]>([
  ['signs out', (_owner, bob) => bob.call('POST', 'signout')],
  ['is deactivated', (owner, bob) => update(owner, bob.userId, { active: false })],
  ['is deleted', (owner, bob) => owner.call('DELETE', `delete_my_user/${bob.userId}`)],
  ['is signed out everywhere', (owner, bob) => owner.call('POST', `sign_out_my_user/${bob.userId}`)],
  ['gets another password', (owner, bob) => update(owner, bob.userId, { password: 'another sentence nobody guesses' })],
  ['gets another role', (owner, bob) => update(owner, bob.userId, { role: 'driver' })],
  [
    'changes the password',
    (_owner, bob) =>
      bob.call('PATCH', 'new_pass', { oldPassword: PASSWORD, newPassword: 'another sentence nobody guesses' }),
  ],
  [
    'has no access any more from now on',
    async (_owner, bob) => {
      const expired = { expires_at: new Date(Date.now() - 1) };
      await test.context.db.system.updateTable('app_user').set(expired).where('id', '=', bob.userId).execute();
      // As the server does every few seconds.
      await test.sessions.endExpired();
    },
  ],
])('[R4.03] [R6.02] closes live messaging of someone who %s', async (_, end) => {
  const owner = await someone();
  const bob = await someone({ accountId: owner.accountId, role: 'viewer' });
  const { ended } = await browser(bob);
  await end(owner, bob);
  await ended;
});

it('closes live messaging of an API token that is deleted, and leaves its owner’s', async () => {
  const ann = await someone();
  const made = await ann.call('POST', 'api_token', {
    password: PASSWORD,
    name: 'Screen in the hall',
    scopes: ['vehicles.read'],
    expiresInDays: 1,
  });
  const { token, id } = made.body as { token: string; id: string };
  const screen = await browser({ call: (method, path) => call(test.url, method, `/api/v1/${path}`, { token }) });
  // Another tab of the same client id would end the first.
  const { messaging } = meSchema.parse((await ann.call('GET', 'read_me')).body);
  const own = mqtt.connect(`${test.url.replace('http', 'ws')}/mqtt`, {
    clientId: `${messaging.clientIdPrefix}.own`,
    username: messaging.userName,
    password: messaging.password,
    reconnectPeriod: 0,
  });
  await new Promise<void>(resolve => own.once('connect', () => resolve()));
  await ann.call('DELETE', `api_token/${id}`);
  await screen.ended;
  expect(own.connected).toBe(true);
  own.end(true);
});
