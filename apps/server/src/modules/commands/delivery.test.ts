import type { Command, NewCommand } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import pino from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startApp, type TestApp } from '../../../testing/app.ts';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../../testing/control-password.ts';
import { call } from '../../../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../../../testing/ingest.ts';
import { type Person, person } from '../../../testing/people.ts';
import { MqttTestTracker, StreamTracker, type TestTracker } from '../../../testing/tracker.ts';
import { createApp } from '../../app.ts';

/** Commands over real sockets: the whole server and trackers that answer, sleep, refuse or are silent. */
let test: TestApp;
let owner: Person;
let vehicle: TestVehicle;
const trackers: TestTracker[] = [];

beforeAll(async () => {
  test = await startApp();
  const server = {
    ...test,
    call: (...args: Parameters<typeof call> extends [string, ...infer Rest] ? Rest : never) => call(test.url, ...args),
  };
  owner = await person(server);
  await setTestControlPassword(test, owner);
  // The clock is put forward by a day below, and the server ends what has expired.
  const expires_at = new Date(Date.now() + 30 * 86_400_000);
  await test.context.db.system.updateTable('session').set({ expires_at }).where('id', '=', owner.sessionId).execute();
});
afterAll(() => test.close());
beforeEach(async () => {
  vehicle = await newVehicle();
});
afterEach(() => {
  vi.useRealTimers();
  for (const tracker of trackers.splice(0)) tracker.hangUp();
});

async function newVehicle(by = owner, context = test.context): Promise<TestVehicle> {
  const made = await addVehicle(context, by.accountId);
  const isKnown = async () => (await by.call('GET', `command/offer?deviceId=${made.id}`)).status;
  await vi.waitFor(async () => expect(await isKnown()).toBe(200), PATIENCE);
  return made;
}

const PATIENCE = { timeout: 35_000, interval: 10 };

const KINDS = {
  teltonika: { engineStop: 'setdigout 1', interval: 'setparam 10050:60;10055:60', status: 'getstatus' },
  gt06: { engineStop: 'RELAY,1#', interval: 'TIMER,60,60#', status: 'STATUS#' },
  mqtt: { engineStop: 'engineStop', interval: expect.stringContaining('"seconds":60'), status: 'getStatus' },
} as const;
type Kind = keyof typeof KINDS;

async function dial(kind: Kind): Promise<TestTracker> {
  const port = test.port(kind);
  const tracker =
    kind === 'mqtt' ? await MqttTestTracker.dial(port, vehicle) : await StreamTracker.dial(port, kind, vehicle);
  trackers.push(tracker);
  return tracker;
}
const newest = async () => (await owner.call('GET', 'position/latest')).body as { imei: string; reportTime: string }[];
/** A tracker that has just said that the vehicle is parked. */
async function parkedTracker(kind: Kind): Promise<TestTracker> {
  const tracker = await dial(kind);
  await tracker.report();
  await vi.waitFor(async () => expect((await newest()).map(({ imei }) => imei)).toContain(vehicle.imei), PATIENCE);
  return tracker;
}

async function ask(wanted: Omit<NewCommand, 'imei'>): Promise<Command> {
  const { status, body } = await owner.call('POST', 'command', { imei: vehicle.imei, ...wanted });
  expect([status, body]).toEqual([201, expect.anything()]);
  return body as Command;
}
async function control(action: 'engineStop' | 'engineResume', mode?: 'immediate' | 'nextStop'): Promise<Command> {
  const wanted = { action, ...(mode && { mode }) } as const;
  const confirmed = await owner.call('POST', 'confirm_control_pass', {
    ...wanted,
    imei: vehicle.imei,
    controlPassword: TEST_CONTROL_PASSWORD,
  });
  expect([confirmed.status, confirmed.body]).toEqual([200, expect.anything()]);
  return ask({ ...wanted, grant: (confirmed.body as { grant: string }).grant, reason: 'stolen' });
}
const read = async ({ id }: Command) => (await owner.call('GET', `command/${id}`)).body as Command;
const becomes = (command: Command, expected: Partial<Command>) =>
  vi.waitFor(async () => expect(await read(command)).toMatchObject(expected), PATIENCE);
const stepsOf = async (command: Command) =>
  (await read(command)).steps.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
/** The clocks of server and test go on by so much; timers do not. */
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe.each(Object.keys(KINDS) as Kind[])('[R3.08] a %s tracker', kind => {
  const words = KINDS[kind];

  it('[R7.34] carries the command out, and confirms it', async () => {
    const tracker = await parkedTracker(kind);
    const command = await ask({ action: 'setGprsInterval', params: { seconds: 60 } });
    expect(command).toMatchObject({ label: 'Reporting interval', category: 'settings', effect: 'awaited' });
    await becomes(command, { state: 'acknowledged', sent: 1 });
    expect(tracker.told).toEqual([words.interval]);
    const states = (await stepsOf(command)).filter(step => step !== 'delivered');
    expect(states).toEqual(['queued: asked', 'published', 'acknowledged']);
  });

  it('[R7.15] [R7.35] stops the engine of a parked vehicle with a grant, and shows the interlock that it was let go by', async () => {
    const tracker = await parkedTracker(kind);
    const command = await control('engineStop', 'immediate');
    await becomes(command, { state: 'acknowledged', sent: 1, effect: 'awaited', reason: 'stolen' });
    expect(tracker.told).toEqual([words.engineStop]);
    const published = (await read(command)).steps.find(({ state }) => state === 'published');
    expect(published?.interlock).toMatchObject({ holds: true, checks: expect.any(Array) });
  });

  it('that refuses is believed', async () => {
    const tracker = await parkedTracker(kind);
    tracker.answerMode = 'refuses';
    const command = await control('engineStop', 'immediate');
    await becomes(command, { state: 'failed', effect: null });
    expect((await stepsOf(command)).at(-1)).toBe('failed: refused-by-tracker');
  });

  it('that says nothing is given up after a while; what it says later counts', async () => {
    const tracker = await parkedTracker(kind);
    tracker.answerMode = 'silent';
    const command = await ask({ action: 'getStatus' });
    await vi.waitFor(() => expect(tracker.told).toEqual([words.status]), PATIENCE);
    later(91_000);
    await becomes(command, { state: 'failed' });
    expect((await stepsOf(command)).at(-1)).toBe('failed: no-answer');
    if (kind !== 'mqtt') return;
    await (tracker as MqttTestTracker).say({ action: 'getStatusConfirmed', battery: 12.6 });
    await becomes(command, { state: 'acknowledged', answer: '{"battery":12.6}' });
    expect((await stepsOf(command)).at(-1)).toBe('acknowledged: answered-late');
  });

  it('is not told twice over one connection, though the news of it comes late', async () => {
    const tracker = await parkedTracker(kind);
    tracker.answerMode = 'silent';
    const command = await ask({ action: 'getStatus' });
    await vi.waitFor(() => expect(tracker.told).toEqual([words.status]), PATIENCE);
    test.context.signals.emit('tracker-reachable', { vehicleId: vehicle.id });
    later(91_000);
    await becomes(command, { state: 'failed', sent: 1 });
    expect(tracker.told).toEqual([words.status]);
  });

  it('that sleeps gets it when it is back', async () => {
    (await parkedTracker(kind)).hangUp();
    await vi.waitFor(async () => {
      const { body } = await owner.call('GET', `command/offer?deviceId=${vehicle.id}`);
      expect(body).toMatchObject({ reachable: false, protocol: kind });
    }, PATIENCE);
    const command = await ask({ action: 'getStatus' });
    expect(command).toMatchObject({ state: 'queued', waitingFor: 'tracker', sent: 0 });
    const tracker = await dial(kind);
    await becomes(command, { state: 'acknowledged', waitingFor: null, sent: 1 });
    expect(tracker.told).toEqual([words.status]);
    expect((await stepsOf(command)).slice(0, 3)).toEqual(['queued: asked', 'queued: tracker-asleep', 'published']);
  });

  it('that sleeps too long never gets it', async () => {
    (await parkedTracker(kind)).hangUp();
    const stop = await control('engineStop', 'nextStop');
    const status = await ask({ action: 'getStatus' });
    later(601_000);
    await becomes(stop, { state: 'expired' });
    expect(await read(status)).toMatchObject({ state: 'queued' });
    later(86_400_000);
    await vi.waitFor(async () => {
      const row = await test.context.db.system
        .selectFrom('command')
        .select('state')
        .where('id', '=', status.id)
        .execute();
      expect(row).toEqual([{ state: 'expired' }]);
    }, PATIENCE);
    vi.useRealTimers();
    const tracker = await dial(kind);
    await tracker.report();
    await becomes(stop, { state: 'expired', sent: 0 });
    expect(tracker.told).toEqual([]);
  });
});

describe('[R7.35] an armed stop', () => {
  it('waits while the vehicle drives, and leaves when it stands', async () => {
    const tracker = await dial('teltonika');
    await tracker.report({ speed: metresPerSecond(15), ignition: true });
    await vi.waitFor(async () => expect((await newest()).map(({ imei }) => imei)).toContain(vehicle.imei), PATIENCE);
    const refused = await owner.call('POST', 'confirm_control_pass', {
      action: 'engineStop',
      mode: 'immediate',
      imei: vehicle.imei,
      controlPassword: TEST_CONTROL_PASSWORD,
    });
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'interlock-fails' }]);
    const command = await control('engineStop');
    expect(command).toMatchObject({ mode: 'nextStop', state: 'queued', waitingFor: 'safe-stop' });
    later(10_000);
    await tracker.report({ speed: metresPerSecond(5), ignition: true });
    later(10_000);
    await tracker.report({ speed: metresPerSecond(0), ignition: false });
    await becomes(command, { state: 'acknowledged', sent: 1 });
    expect(tracker.told).toEqual(['setdigout 1']);
  });

  it('is offered by the same checks by which it leaves: what stood before its tracker dialed in counts for nothing', async () => {
    const parked = { speed: metresPerSecond(0), ignition: true };
    const first = await dial('teltonika');
    await first.report(parked);
    await vi.waitFor(async () => expect((await newest()).map(({ imei }) => imei)).toContain(vehicle.imei), PATIENCE);
    for (let i = 0; i < 9; i++) {
      later(10_000);
      await first.report(parked);
    }
    type Offered = { interlock: { holds: boolean; checks: object[] }; interlockAt: string | null };
    const offer = async () => (await owner.call('GET', `command/offer?deviceId=${vehicle.id}`)).body as Offered;
    await vi.waitFor(async () => expect(await offer()).toMatchObject({ interlock: { holds: true } }), PATIENCE);
    first.hangUp();
    const again = await dial('teltonika');
    const since = Date.now();
    later(1000);
    await again.report(parked);
    await vi.waitFor(async () => {
      const { interlock, interlockAt } = await offer();
      expect(interlock.checks.find(check => 'check' in check && check.check === 'ignition')).toMatchObject({
        holds: false,
      });
      expect(interlock.holds).toBe(false);
      expect(Date.parse(interlockAt ?? '')).toBeGreaterThanOrEqual(since + 60_000);
    }, PATIENCE);
    const refused = await owner.call('POST', 'confirm_control_pass', {
      ...{ action: 'engineStop', mode: 'immediate', imei: vehicle.imei, controlPassword: TEST_CONTROL_PASSWORD },
    });
    expect([refused.status, refused.body]).toMatchObject([409, { code: 'interlock-fails' }]);
    for (let i = 0; i < 7; i++) {
      later(10_000);
      await again.report(parked);
    }
    await vi.waitFor(
      async () => expect(await offer()).toMatchObject({ interlock: { holds: true }, interlockAt: null }),
      PATIENCE,
    );
    const command = await control('engineStop', 'immediate');
    await becomes(command, { state: 'acknowledged', sent: 1 });
  });

  it('ends when the engine is resumed, when it is called back, and when its sender may no more', async () => {
    (await parkedTracker('teltonika')).hangUp();
    const first = await control('engineStop');
    const resume = await control('engineResume');
    expect((await stepsOf(first)).at(-1)).toBe('cancelled: no-longer-applies');
    expect((await owner.call('POST', `command/${resume.id}/cancel`)).body).toMatchObject({ state: 'cancelled' });
    expect((await owner.call('POST', `command/${resume.id}/cancel`)).body).toMatchObject({ code: 'command-gone' });
    const second = await control('engineStop');
    const role = (value: string) =>
      test.context.db.system.updateTable('app_user').set({ role: value }).where('id', '=', owner.userId).execute();
    await role('viewer');
    test.context.signals.emit('users-changed', { userIds: [owner.userId] });
    const stateOf = async () =>
      test.context.db.system.selectFrom('command').select('state').where('id', '=', second.id).executeTakeFirst();
    await vi.waitFor(async () => expect(await stateOf()).toEqual({ state: 'cancelled' }), PATIENCE);
    await role('owner');
    test.context.signals.emit('users-changed', { userIds: [owner.userId] });
    expect((await stepsOf(second)).at(-1)).toBe('cancelled: sender-lost-rights');
  });
});

it('[R3.08] is sent again when a tracker dials in without having answered, and says so; a control never is', async () => {
  const first = await parkedTracker('teltonika');
  first.answerMode = 'silent';
  const stop = await control('engineStop', 'immediate');
  await vi.waitFor(() => expect(first.told).toEqual(['setdigout 1']), PATIENCE);
  first.hangUp();
  const again = await dial('teltonika');
  await again.report();
  const status = await ask({ action: 'getStatus' });
  expect(status.state).toBe('queued');
  expect(await read(stop)).toMatchObject({ state: 'published', sent: 1 });
  later(91_000);
  await becomes(stop, { state: 'failed' });
  await becomes(status, { state: 'acknowledged' });
  expect(again.told).toEqual(['getstatus']);

  vi.useRealTimers();
  again.answerMode = 'silent';
  const version = await ask({ action: 'getVersion' });
  await vi.waitFor(() => expect(again.told).toContain('getver'), PATIENCE);
  again.hangUp();
  const third = await dial('teltonika');
  await becomes(version, { state: 'acknowledged', sent: 2 });
  expect(await stepsOf(version)).toContain('published: sent-again');
  expect(third.told).toEqual(['getver']);
});

it('[R7.33] takes delivery as what the network says', async () => {
  const tracker = await dial('mqtt');
  await tracker.report();
  tracker.answerMode = 'silent';
  const command = await ask({ action: 'trackOnDemand' });
  await becomes(command, { state: 'delivered' });
  // The position is the answer, whatever the tracker says of it.
  vi.setSystemTime(Date.now() + 5000);
  await tracker.report();
  await becomes(command, { state: 'delivered', effect: 'seen' });
  later(91_000);
  await becomes(command, { state: 'acknowledged', effect: 'seen' });
  expect((await stepsOf(command)).at(-1)).toBe('acknowledged: proved-by-effect');
});

it('[I1] survives a restart: what waited waits on, and what had left is not sent again', async () => {
  const own = await startApp();
  const callOwn = (method: string, path: string, options: object) => call(own.url, method, path, options);
  const someone = await person({ ...own, call: callOwn });
  vehicle = await newVehicle(someone, own.context);
  const tracker = await StreamTracker.dial(own.port('teltonika'), 'teltonika', vehicle);
  tracker.answerMode = 'silent';
  tracker.report();
  const asked = async (action: string) =>
    (await someone.call('POST', 'command', { imei: vehicle.imei, action })).body as Command;
  await vi.waitFor(async () => expect((await asked('getStatus')).state).toBe('published'), PATIENCE);
  const waiting = await asked('getVersion');
  expect(waiting.state).toBe('queued');
  await own.app.stop();

  const config = own.context.config;
  const app = await createApp(config, own.database.connection, pino({ level: 'silent' }));
  await app.start();
  const rows = () =>
    own.database.databases.system.selectFrom('command').select(['action', 'state', 'sent', 'steps']).execute();
  const again = await StreamTracker.dial(app.trackerPorts.get('teltonika') ?? 0, 'teltonika', vehicle);
  await vi.waitFor(async () => {
    expect(await rows()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ action: 'getStatus', state: 'failed', sent: 1 }),
        expect.objectContaining({ action: 'getVersion', state: 'acknowledged', sent: 1 }),
      ]),
    );
  }, PATIENCE);
  expect(again.told).toEqual(['getver']);
  const [status] = (await rows()).filter(({ action }) => action === 'getStatus');
  expect(status?.steps).toContainEqual(expect.objectContaining({ state: 'failed', reason: 'outcome-unknown' }));
  again.hangUp();
  await app.stop();
  await own.close();
}, 90_000);
