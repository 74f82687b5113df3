import { metresPerSecond } from '@milepost/units';
import mqtt from 'mqtt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../../testing/control-password.ts';
import { call } from '../../../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../../../testing/ingest.ts';
import { auditOf, type Person, person } from '../../../testing/people.ts';
import { MqttTestTracker } from '../../../testing/tracker.ts';
import { messagingCredential } from '../accounts/sessions.ts';

/** What browsers publish to `user/{imei}`, straight to the broker, with a valid credential. */
let test: TestApp;
let server: TestApp & { call: Parameters<typeof person>[0]['call'] };
let owner: Person;
let vehicle: TestVehicle;
let tracker: MqttTestTracker;

const PATIENCE = { timeout: 35_000, interval: 10 };

beforeAll(async () => {
  test = await startApp();
  server = { ...test, call: (method, path, options) => call(test.url, method, path, options) };
  owner = await person(server);
  await setTestControlPassword(test, owner);
});
afterAll(() => test.close());
beforeEach(async () => {
  vehicle = await addVehicle(test.context, owner.accountId);
  const offer = async () => (await owner.call('GET', `command/offer?deviceId=${vehicle.id}`)).body;
  await vi.waitFor(async () => expect(await offer()).toMatchObject({ imei: vehicle.imei }), PATIENCE);
  tracker = await MqttTestTracker.dial(test.port('mqtt'), vehicle);
  await tracker.report();
  await vi.waitFor(async () => expect(await offer()).toMatchObject({ interlock: { holds: true } }), PATIENCE);
});
afterEach(() => tracker.hangUp());

/** `taken` when the broker acknowledges it, `refused` when it ends the connection instead. */
async function publish({ userId, userName, token }: Person, payload: string, imei = vehicle.imei) {
  const client = await mqtt.connectAsync(`${test.url.replace('http', 'ws')}/mqtt`, {
    clientId: `${userId}.tab`,
    username: userName,
    password: messagingCredential(token),
    reconnectPeriod: 0,
  });
  client.on('error', () => {});
  const refused = new Promise<'refused'>(resolve => client.once('close', () => resolve('refused')));
  const taken = client.publishAsync(`user/${imei}`, payload, { qos: 1 }).then(() => 'taken' as const);
  const outcome = await Promise.race([taken.catch(() => refused), refused]);
  client.end(true);
  return outcome;
}
const colleague = (role: 'admin' | 'dispatcher' | 'viewer') => person(server, { accountId: owner.accountId, role });
const rows = () =>
  test.context.db.system.selectFrom('command').select(['action', 'state']).where('imei', '=', vehicle.imei).execute();
const INTERVAL = JSON.stringify({ action: 'setGprsInterval', params: { seconds: 60 } });

describe('[R7.34] a command that is published to user/{imei}', () => {
  it('is taken as the action string, and goes the way of every command', async () => {
    expect(await publish(owner, 'trackOnDemand')).toBe('taken');
    await vi.waitFor(
      async () => expect(await rows()).toMatchObject([{ action: 'trackOnDemand', state: 'acknowledged' }]),
      PATIENCE,
    );
    expect(tracker.told).toEqual(['trackOnDemand']);
    const [, sent, asked] = await auditOf(server, owner.accountId);
    expect([asked, sent]).toMatchObject([
      { action: 'command.asked', user_name: owner.userName },
      { action: 'command.sent', via: 'system' },
    ]);
  });

  it('follows the role', async () => {
    const [dispatcher, viewer] = await Promise.all([colleague('dispatcher'), colleague('viewer')]);
    expect(await publish(dispatcher, 'getStatus')).toBe('taken');
    expect(await publish(dispatcher, INTERVAL)).toBe('refused');
    expect(await publish(viewer, 'getVersion')).toBe('refused');
    expect(await publish(owner, INTERVAL)).toBe('taken');
    await vi.waitFor(() => expect(tracker.told).toHaveLength(2), PATIENCE);
    expect(tracker.told[0]).toBe('getStatus');
    expect(JSON.parse(tracker.told[1] ?? '')).toEqual({
      action: 'setGprsInterval',
      params: { seconds: 60 },
      id: expect.any(Number),
    });
  });

  it('reaches no vehicle out of sight, and means something', async () => {
    const foreign = await addVehicle(test.context);
    expect(await publish(owner, 'trackOnDemand', foreign.imei)).toBe('refused');
    expect(await publish(owner, 'format')).toBe('refused');
    expect(await publish(owner, '{"action":')).toBe('refused');
    expect(await publish(owner, 'x'.repeat(5000))).toBe('refused');
    expect(
      await test.context.db.system.selectFrom('command').select('id').where('imei', '=', foreign.imei).execute(),
    ).toEqual([]);
    expect(tracker.told).toEqual([]);
  });
});

describe('[R7.35] a control command that is published to user/{imei}', () => {
  const confirm = async (more: object = {}) => {
    const body = { action: 'engineStop', imei: vehicle.imei, controlPassword: TEST_CONTROL_PASSWORD, ...more };
    return ((await owner.call('POST', 'confirm_control_pass', body)).body as { grant: string }).grant;
  };

  it.each([
    ['alone', () => 'engineStop'],
    ['with a reason', () => '{"action":"engineStop","reason":"stolen"}'],
    ['with a made-up grant', () => '{"action":"engineStop","reason":"stolen","grant":"cg_x"}'],
    [
      'in another way than it was granted',
      async () => JSON.stringify({ action: 'engineStop', mode: 'immediate', reason: 'x', grant: await confirm() }),
    ],
    [
      'with the control password itself',
      () => `{"action":"engineStop","reason":"x","controlPassword":"${TEST_CONTROL_PASSWORD}"}`,
    ],
  ])('is refused %s, and noted', async (_, payload) => {
    expect(await publish(owner, await payload())).toBe('refused');
    expect(await rows()).toEqual([]);
    expect(tracker.told).toEqual([]);
    const [entry] = await auditOf(server, owner.accountId);
    expect(entry).toMatchObject({ action: 'command.refused', user_name: owner.userName });
  });

  it('is refused to anyone who may not control, grant or not', async () => {
    const payload = JSON.stringify({ action: 'engineStop', reason: 'x', grant: await confirm() });
    expect(await publish(await colleague('dispatcher'), payload)).toBe('refused');
    expect(tracker.told).toEqual([]);
  });

  it('leaves with a grant of its own session, once, and only while the vehicle stands', async () => {
    const payload = JSON.stringify({
      action: 'engineStop',
      mode: 'immediate',
      reason: 'x',
      grant: await confirm({ mode: 'immediate' }),
    });
    expect(await publish(owner, payload)).toBe('taken');
    await vi.waitFor(() => expect(tracker.told).toEqual(['engineStop']), PATIENCE);
    expect(await publish(owner, payload)).toBe('refused');
    const another = JSON.stringify({
      action: 'engineStop',
      mode: 'immediate',
      reason: 'x',
      grant: await confirm({ mode: 'immediate' }),
    });
    vi.setSystemTime(Date.now() + 10_000);
    await tracker.report({ speed: metresPerSecond(14), ignition: true });
    expect(await publish(owner, another)).toBe('refused');
    vi.useRealTimers();
    expect(tracker.told).toEqual(['engineStop']);
  });

  it('waits for a second person, whom no publication stands in for', async () => {
    const admin = await colleague('admin');
    const grant = await confirm({ mode: 'immediate' });
    const wanted = { action: 'engineStop', mode: 'immediate', reason: 'x' };
    expect(await publish(owner, JSON.stringify({ ...wanted, grant }))).toBe('taken');
    expect(await rows()).toMatchObject([{ state: 'awaiting-second' }]);
    const { body } = await owner.call('GET', 'command?state=awaiting-second');
    const [{ id: commandId } = { id: '' }] = body as { id: string }[];
    const second = { ...wanted, imei: vehicle.imei, controlPassword: TEST_CONTROL_PASSWORD, commandId };
    const answer = await admin.call('POST', 'confirm_control_pass', { ...second, reason: undefined });
    const { grant: confirming } = answer.body as { grant: string };
    expect(await publish(admin, JSON.stringify({ ...wanted, commandId, grant: confirming }))).toBe('refused');
    expect(await publish(admin, JSON.stringify({ action: 'agree', commandId, grant: confirming }))).toBe('refused');
    expect(tracker.told).toEqual([]);
    expect((await admin.call('POST', `command/${commandId}/agree`, { grant: confirming })).status).toBe(200);
    await vi.waitFor(() => expect(tracker.told).toEqual(['engineStop']), PATIENCE);
  });
});
