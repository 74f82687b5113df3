import { createSocket } from 'node:dgram';
import { COMMANDS, type Command, deviceTopic, userTopic } from '@milepost/contract';
import { type PositionMessage, PROTOCOL_NAMES, protocols, type TrackerSide } from '@milepost/decoders';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Line, startApp, type TestApp } from '../../../testing/app.ts';
import { call, type SignedIn, signedIn } from '../../../testing/http-server.ts';
import { addVehicle, positionMessage, type TestVehicle } from '../../../testing/ingest.ts';

/** A command requested over HTTP, sent to a tracker in its own protocol, and the tracker's answer. */
let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

const PATIENCE = { timeout: 35_000 };
const GIVEN = { password: 'gv300', seconds: 60, text: 'Call the office' };

const cases = PROTOCOL_NAMES.flatMap(name => {
  const { commands, stream, tracker, datagramTracker } = protocols[name];
  // Control commands also need a grant; the bytes are the same.
  const command = commands.find(({ command: action, text }) => COMMANDS[action].category !== 'control' && text(GIVEN));
  const side = stream ? tracker : datagramTracker;
  if (!command || !side?.hear) return [];
  const names = command.parameters.filter(each => !each.endsWith('?'));
  const params = Object.fromEntries(names.map(each => [each, GIVEN[each as keyof typeof GIVEN]]));
  return [{ name, action: command.command, params, side, over: stream ? 'TCP' : 'UDP' }];
});

interface Wire {
  say(bytes: Uint8Array): void;
  end(): void;
}

/** Calls back with what the server says, from the first byte that has not been used. */
async function connect(port: number, overUdp: boolean, heard: (bytes: Buffer) => number): Promise<Wire> {
  if (overUdp) {
    const socket = createSocket('udp4');
    socket.on('message', datagram => heard(datagram));
    return { say: bytes => socket.send(bytes, port, '127.0.0.1'), end: () => socket.close() };
  }
  const { socket } = await Line.to(port);
  let pending = Buffer.alloc(0);
  socket.on('data', chunk => {
    pending = Buffer.concat([pending, chunk]);
    for (let used = heard(pending); used > 0; used = heard(pending)) pending = pending.subarray(used);
  });
  return { say: bytes => socket.write(bytes), end: () => socket.destroy() };
}

/** A tracker that is there, and does or refuses what it hears. */
async function startTracker(
  name: (typeof cases)[number],
  { imei }: TestVehicle,
  isWilling: () => boolean,
): Promise<Wire> {
  const { side } = name;
  const last: PositionMessage = positionMessage(Date.now() - 5000);
  const wire = await connect(test.port(name.name), name.over === 'UDP', bytes => {
    const heard = bytes.length > 0 && side.hear ? side.hear(imei, bytes) : null;
    if (!heard || heard.status === 'more') return 0;
    const reply = heard.status === 'command' ? heard.command.reply(isWilling(), last) : null;
    if (reply) wire.say(reply);
    return heard.end;
  });
  const greeting = side.greeting(imei);
  if (greeting) wire.say(greeting);
  for (const frame of (side as TrackerSide).reports(imei, [last], 1)) wire.say(frame);
  return wire;
}

async function vehicleOf(protocol: string): Promise<{ vehicle: TestVehicle; owner: SignedIn }> {
  const vehicle = await addVehicle(test.context);
  await test.context.db.system.updateTable('vehicle').set({ protocol }).where('id', '=', vehicle.id).execute();
  const owner = await signedIn(test, { accountId: vehicle.accountId });
  // The server loads a new vehicle after the change is announced.
  await vi.waitFor(async () => expect(await isReachable(vehicle, owner)).toBe(false), PATIENCE);
  return { vehicle, owner };
}

async function ask({ imei }: TestVehicle, { token }: SignedIn, action: string, params: object): Promise<Command> {
  const answer = await call(test.url, 'POST', '/api/v1/command', { token, body: { imei, action, params } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body as Command;
}

const outcome = async ({ id }: Command, { token }: SignedIn): Promise<Command> =>
  (await call(test.url, 'GET', `/api/v1/command/${id}`, { token })).body as Command;

const isReachable = async ({ id }: TestVehicle, { token }: SignedIn): Promise<boolean> => {
  const offer = await call(test.url, 'GET', `/api/v1/command/offer?deviceId=${id}`, { token });
  return (offer.body as { reachable: boolean }).reachable;
};

describe.each(cases)('$name over $over', one => {
  it(`[R3.08] takes ${one.action} to the tracker and its answer back, and a refusal where the protocol has one`, async () => {
    const { vehicle, owner } = await vehicleOf(one.name);
    let willing = true;
    const wire = await startTracker(one, vehicle, () => willing);
    await vi.waitFor(async () => expect(await isReachable(vehicle, owner)).toBe(true), PATIENCE);
    const done = await ask(vehicle, owner, one.action, one.params);
    await vi.waitFor(
      async () => expect(await outcome(done, owner)).toMatchObject({ state: 'acknowledged', sent: 1 }),
      PATIENCE,
    );

    willing = false;
    const words = protocols[one.name].commands.find(({ command }) => command === one.action)?.text(one.params) ?? '';
    const { stream, datagram } = protocols[one.name];
    const encode = stream?.encodeCommand ?? datagram?.encodeCommand;
    const heard = one.side.hear?.(vehicle.imei, encode?.(words, 1, vehicle.imei) ?? new Uint8Array());
    const canRefuse = heard?.status === 'command' && heard.command.reply(false, positionMessage(Date.now())) !== null;
    // A question is not asked again within seconds.
    if (canRefuse && COMMANDS[one.action].atMostEveryS === 0) {
      const refused = await ask(vehicle, owner, one.action, one.params);
      await vi.waitFor(
        async () =>
          expect((await outcome(refused, owner)).steps.at(-1)).toMatchObject({
            state: 'failed',
            reason: 'refused-by-tracker',
          }),
        PATIENCE,
      );
    }
    wire.end();
  }, 30_000);
});

it('[R7.34] takes a command to a tracker on MQTT and its answer back', async () => {
  const { vehicle, owner } = await vehicleOf('mqtt');
  const { imei, id } = vehicle;
  const key = await call(test.url, 'POST', `/api/v1/device/${id}/key`, { token: owner.token });
  const { deviceKey: password } = key.body as { deviceKey: string };
  const client = await connectAsync({
    host: '127.0.0.1',
    port: test.port('mqtt'),
    clientId: imei,
    username: imei,
    password,
  });
  client.on('message', (topic, payload) => {
    expect(topic).toBe(userTopic(imei));
    const { action, id: number } = JSON.parse(payload.toString()) as { action: string; id: number };
    client.publish(deviceTopic(imei), JSON.stringify({ action: `${action}Confirmed`, id: number }), { qos: 1 });
  });
  await client.subscribeAsync(userTopic(imei), { qos: 1 });
  await vi.waitFor(async () => expect(await isReachable(vehicle, owner)).toBe(true), PATIENCE);
  const command = await ask(vehicle, owner, 'setGprsInterval', { seconds: 60 });
  await vi.waitFor(async () => {
    expect(await outcome(command, owner)).toMatchObject({ state: 'acknowledged', sent: 1 });
  }, PATIENCE);
  await client.endAsync();
});
