import type { Command, NewCommand } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../testing/control-password.ts';
import { call, type SignedIn, signedIn } from '../testing/http-server.ts';
import { addVehicle, type TestVehicle } from '../testing/ingest.ts';
import { findNats, WHY_NO_NATS } from '../testing/nats.ts';
import { startNodes, type TestNode, type TestNodes } from '../testing/nodes.ts';
import { MqttTestTracker, StreamTracker, type TestTracker } from '../testing/tracker.ts';

/** Commands on two servers with one database: whoever asks is on one, and the tracker on the other. */

const WAIT = { timeout: 35_000, interval: 20 };

describe.skipIf(!findNats())(`commands on two nodes${findNats() ? '' : ` (${WHY_NO_NATS})`}`, () => {
  let both: TestNodes;
  let a: TestNode;
  let b: TestNode;
  let owner: SignedIn;
  let vehicle: TestVehicle;
  const trackers: TestTracker[] = [];

  beforeAll(async () => {
    both = await startNodes();
    [a, b] = both.nodes;
  });
  beforeEach(async () => {
    owner = await signedIn(a);
    await setTestControlPassword(a, owner);
    vehicle = await addVehicle(a.context, owner.accountId);
    for (const node of [a, b]) await node.context.feed.settled();
  });
  afterEach(() => {
    for (const tracker of trackers.splice(0)) tracker.hangUp();
  });
  afterAll(() => both?.close());

  const dial = async (node: TestNode, kind: 'gt06' | 'teltonika' | 'mqtt' = 'gt06'): Promise<TestTracker> => {
    const port = node.port(kind);
    const tracker =
      kind === 'mqtt' ? await MqttTestTracker.dial(port, vehicle) : await StreamTracker.dial(port, kind, vehicle);
    trackers.push(tracker);
    return tracker;
  };
  const request = async <T>(node: TestNode, method: string, path: string, body?: object): Promise<T> => {
    const answer = await call(node.url, method, `/api/v1/${path}`, { token: owner.token, ...(body && { body }) });
    expect([answer.status, answer.body]).toEqual([expect.toBeOneOf([200, 201]), expect.anything()]);
    return answer.body as T;
  };
  const ask = (node: TestNode, wanted: Omit<NewCommand, 'imei'>): Promise<Command> =>
    request(node, 'POST', 'command', { imei: vehicle.imei, ...wanted });
  const control = async (
    node: TestNode,
    action: 'engineStop' | 'engineResume',
    mode?: 'immediate' | 'nextStop',
  ): Promise<Command> => {
    const wanted = { action, ...(mode && { mode }) };
    const confirmed = { ...wanted, imei: vehicle.imei, controlPassword: TEST_CONTROL_PASSWORD };
    const { grant } = await request<{ grant: string }>(node, 'POST', 'confirm_control_pass', confirmed);
    return ask(node, { ...wanted, grant, reason: 'stolen' });
  };
  const read = (node: TestNode, { id }: Command): Promise<Command> => request(node, 'GET', `command/${id}`);
  const becomes = async (command: Command, expected: Partial<Command>): Promise<void> => {
    await vi.waitFor(async () => expect(await read(a, command)).toMatchObject(expected), WAIT);
    expect(await read(b, command)).toMatchObject(expected);
  };
  const stepsOf = async (command: Command): Promise<string[]> =>
    (await read(b, command)).steps.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`));
  const isReachable = async (node: TestNode): Promise<boolean> =>
    (await request<{ reachable: boolean }>(node, 'GET', `command/offer?deviceId=${vehicle.id}`)).reachable;
  /** A report that both nodes know. Trackers tell whole seconds, so each has one of its own. */
  const reports = async (tracker: TestTracker, fields: Parameters<TestTracker['report']>[0] = {}): Promise<void> => {
    const before = (await newest(a)) ?? 0;
    await vi.waitFor(() => expect(Math.floor(Date.now() / 1000) * 1000).toBeGreaterThan(before), WAIT);
    await tracker.report(fields);
    for (const node of [a, b]) await vi.waitFor(async () => expect(await newest(node)).toBeGreaterThan(before), WAIT);
  };
  const newest = async (node: TestNode): Promise<number | null> => {
    const [latest] = await request<{ reportDate: string; reportTime: string }[]>(node, 'GET', 'position/latest');
    return latest ? Date.parse(`${latest.reportDate}T${latest.reportTime}Z`) : null;
  };
  const holder = async (): Promise<string | undefined> =>
    (
      await both.database.databases.system
        .selectFrom('tracker_way')
        .select('node')
        .where('vehicle_id', '=', vehicle.id)
        .executeTakeFirst()
    )?.node;

  it.each(['gt06', 'teltonika', 'mqtt'] as const)(
    '[R7.34] a %s tracker of one node carries out what the other is asked for, once',
    async kind => {
      const tracker = await dial(a, kind);
      await reports(tracker);
      expect(await isReachable(b)).toBe(true);
      const command = await ask(b, { action: 'setGprsInterval', params: { seconds: 60 } });
      await becomes(command, { state: 'acknowledged', sent: 1 });
      expect(tracker.told).toHaveLength(1);
      expect((await stepsOf(command)).filter(step => step !== 'delivered')).toEqual([
        'queued: asked',
        'published',
        'acknowledged',
      ]);
    },
  );

  it('a command that waits leaves at the node to which its tracker connects, wherever it was asked for', async () => {
    await reports(await dial(b));
    trackers.pop()?.hangUp();
    await vi.waitFor(async () => expect(await isReachable(b)).toBe(false), WAIT);
    const command = await ask(b, { action: 'getStatus' });
    await becomes(command, { state: 'queued', waitingFor: 'tracker' });
    const tracker = await dial(a);
    await becomes(command, { state: 'acknowledged', sent: 1 });
    expect(tracker.told).toHaveLength(1);
    expect(await holder()).toBe(a.context.bus.nodeId);
    const next = await ask(b, { action: 'setGprsInterval', params: { seconds: 60 } });
    await becomes(next, { state: 'acknowledged', sent: 1 });
  });

  it('[I4] the engine of a parked vehicle stops at once for whoever is on the other node, and once', async () => {
    const tracker = await dial(a);
    await reports(tracker);
    await reports(tracker);
    const command = await control(b, 'engineStop', 'immediate');
    await becomes(command, { state: 'acknowledged', sent: 1 });
    expect(tracker.told).toEqual(['RELAY,1#']);
    await reports(tracker, { speed: metresPerSecond(15), ignition: true });
    const refused = await call(b.url, 'POST', '/api/v1/confirm_control_pass', {
      token: owner.token,
      body: {
        action: 'engineStop',
        mode: 'immediate',
        imei: vehicle.imei,
        controlPassword: TEST_CONTROL_PASSWORD,
      },
    });
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([409, 'interlock-fails']);
  });

  it('[I4] what another connection reports to the other node holds a stop back until the tracker has spoken again', async () => {
    const tracker = await dial(a);
    await reports(tracker);
    await reports(tracker);
    const other = await dial(b);
    await reports(other);
    const command = await control(b, 'engineStop', 'nextStop');
    await becomes(command, { state: 'queued', waitingFor: 'safe-stop', sent: 0 });
    await reports(tracker);
    await becomes(command, { state: 'acknowledged', sent: 1 });
    expect([tracker.told, other.told]).toEqual([['RELAY,1#'], []]);
  });

  it('a second connection, to the other node, gets no commands before the first is gone', async () => {
    const first = await dial(a);
    await reports(first);
    const second = await dial(b);
    await reports(second);
    await becomes(await ask(b, { action: 'getStatus' }), { state: 'acknowledged', sent: 1 });
    expect([first.told.length, second.told.length]).toEqual([1, 0]);
    first.hangUp();
    await vi.waitFor(async () => expect(await holder()).toBe(b.context.bus.nodeId), WAIT);
    await becomes(await ask(a, { action: 'setGprsInterval', params: { seconds: 60 } }), {
      state: 'acknowledged',
      sent: 1,
    });
    expect([first.told.length, second.told.length]).toEqual([1, 1]);
  });

  it('a command that waits at one node is canceled at the other, and never leaves', async () => {
    const tracker = await dial(a);
    await reports(tracker, { speed: metresPerSecond(15), ignition: true });
    const command = await control(a, 'engineStop', 'nextStop');
    expect(command).toMatchObject({ state: 'queued', waitingFor: 'safe-stop' });
    const canceled = await request<Command>(b, 'POST', `command/${command.id}/cancel`);
    expect(canceled).toMatchObject({ state: 'cancelled' });
    await reports(tracker);
    await reports(tracker);
    await becomes(await ask(b, { action: 'getStatus' }), { state: 'acknowledged' });
    expect(tracker.told).toEqual(['STATUS#']);
    expect(await stepsOf(command)).toEqual(['queued: asked', 'queued: armed', 'cancelled: by-user']);
  });

  it('[R7.35] a second person on the other node confirms, and the command leaves where its tracker is', async () => {
    const second = await signedIn(a, { accountId: owner.accountId });
    for (const node of [a, b]) await node.context.feed.settled();
    const tracker = await dial(a);
    await reports(tracker);
    await reports(tracker);
    const command = await control(a, 'engineStop', 'immediate');
    expect(command).toMatchObject({ state: 'awaiting-second' });
    const asked = { token: second.token, body: { action: 'engineStop', mode: 'immediate', imei: vehicle.imei } };
    const confirmed = await call(b.url, 'POST', '/api/v1/confirm_control_pass', {
      ...asked,
      body: { ...asked.body, commandId: command.id, controlPassword: TEST_CONTROL_PASSWORD },
    });
    const { grant } = confirmed.body as { grant: string };
    const agreed = await call(b.url, 'POST', `/api/v1/command/${command.id}/agree`, { ...asked, body: { grant } });
    expect(agreed.status).toBe(200);
    await becomes(command, { state: 'acknowledged', sent: 1 });
    expect(tracker.told).toEqual(['RELAY,1#']);
  });

  it('[I4] while the bus is away commands reach their trackers all the same, but none that needs the other node to say that the vehicle stands', async () => {
    const tracker = await dial(a);
    await reports(tracker);
    await reports(tracker);
    both.nats.kill();
    const command = await ask(b, { action: 'getStatus' });
    await becomes(command, { state: 'acknowledged', sent: 1 });
    const body = { imei: vehicle.imei, action: 'engineStop', controlPassword: TEST_CONTROL_PASSWORD };
    const now = { token: owner.token, body: { ...body, mode: 'immediate' } };
    const refused = await call(b.url, 'POST', '/api/v1/confirm_control_pass', now);
    expect([refused.status, (refused.body as { code: string }).code]).toEqual([409, 'interlock-fails']);
    // At the next stop: the node that has the tracker sees it.
    await becomes(await control(b, 'engineStop', 'nextStop'), { state: 'acknowledged', sent: 1 });
    expect(tracker.told).toEqual(['STATUS#', 'RELAY,1#']);
    await both.nats.restart();
  });

  it('both nodes asked at once, while the tracker goes from one to the other: nothing is sent twice', async () => {
    let tracker = await dial(a);
    await reports(tracker);
    const told: string[] = [];
    const commands: Command[] = [];
    for (let round = 0; round < 6; round++) {
      const seconds = 30 + round;
      const from = round % 2 === 0 ? b : a;
      const asked = [a, b].map((node, n) =>
        ask(node, { action: 'setGprsInterval', params: { seconds: seconds + n * 100 } }),
      );
      if (round % 2 === 1) {
        told.push(...tracker.told);
        tracker.hangUp();
        tracker = await dial(from);
      }
      commands.push(...(await Promise.all(asked)));
    }
    for (const command of commands) {
      await vi.waitFor(
        async () => expect((await read(a, command)).state).toBeOneOf(['acknowledged', 'cancelled', 'failed']),
        { ...WAIT, timeout: 100_000 },
      );
    }
    told.push(...tracker.told);
    const ended = await Promise.all(commands.map(command => read(b, command)));
    expect(told.length).toBeLessThanOrEqual(ended.reduce((sum, { sent }) => sum + sent, 0));
    for (const { sent, state } of ended) expect(sent).toBeLessThanOrEqual(state === 'cancelled' ? 0 : 3);
  });

  it('[I4] a node that ends after it has sent: the other says that nobody knows, and never sends it again', async () => {
    // One at a time: its answers have no numbers.
    const tracker = await dial(b, 'teltonika');
    tracker.answerMode = 'silent';
    await reports(tracker);
    await reports(tracker);
    const [stop, question] = [await control(a, 'engineResume'), await ask(a, { action: 'getStatus' })];
    await becomes(stop, { state: 'published', sent: 1 });
    expect(tracker.told).toHaveLength(1);
    await b.app.stop();
    const again = await dial(a, 'teltonika');
    await vi.waitFor(async () => expect(await read(a, stop)).toMatchObject({ state: 'failed', sent: 1 }), WAIT);
    expect((await read(a, stop)).steps.at(-1)).toMatchObject({ reason: 'outcome-unknown' });
    // What had not left goes on.
    await vi.waitFor(async () => expect(await read(a, question)).toMatchObject({ state: 'acknowledged' }), WAIT);
    expect(again.told).toEqual(['getstatus']);
  });
});
