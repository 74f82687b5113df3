import { createSocket } from 'node:dgram';
import type { Alert, Command } from '@milepost/contract';
import { PROTOCOL_NAMES, protocols, type TrackerSide } from '@milepost/decoders';
import { degrees, epochMs, metresPerSecond } from '@milepost/units';
import { connectAsync } from 'mqtt';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Line, startApp, type TestApp } from '../../../testing/app.ts';
import { setTestControlPassword, TEST_CONTROL_PASSWORD } from '../../../testing/control-password.ts';
import { call, type SignedIn, signedIn } from '../../../testing/http-server.ts';
import { addVehicle, DEVICE_KEY, positionMessage, type TestVehicle } from '../../../testing/ingest.ts';

/**
 * A vehicle drives, its engine stop is armed, and senders who know its IMEI report over every protocol that there is that
 * it stands with its ignition off. The bytes of the command leave when the vehicle's own tracker says so, and not before.
 */

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

const PATIENCE = { timeout: 35_000 };
const present = <T>(value: T | null | undefined): T[] => (value == null ? [] : [value]);

const owns = PROTOCOL_NAMES.flatMap(name => {
  const { commands, stream, tracker } = protocols[name];
  const hasStop = commands.some(({ command, text }) => command === 'engineStop' && text({}));
  return stream && tracker?.hear && hasStop ? [{ name, stream, tracker, hear: tracker.hear }] : [];
});

const report = (speed: number, ignition: boolean) =>
  positionMessage(Math.floor(Date.now() / 1000) * 1000, {
    ...{ lat: degrees(41.9), lon: degrees(-87.68), speed: metresPerSecond(speed), ignition },
  });

/** Says as every protocol but the vehicle's own that it stands. */
async function sayItStands(imei: string, own: string): Promise<string[]> {
  const stands = [report(0, false)];
  const said: string[] = [];
  for (const name of PROTOCOL_NAMES.filter(each => each !== own)) {
    const { stream, tracker, datagram, datagramTracker } = protocols[name];
    if (stream && tracker) {
      const line = await Line.to(test.port(name));
      line.say(Buffer.concat([...present(tracker.greeting(imei)), ...tracker.reports(imei, stands, 1)]));
      await line.closed();
      said.push(name);
    }
    if (datagram && datagramTracker) {
      const socket = createSocket('udp4');
      for (const frame of datagramTracker.reports(imei, stands, 1)) {
        await new Promise(sent => socket.send(frame, test.port(name), '127.0.0.1', sent));
      }
      socket.close();
      said.push(name);
    }
  }
  const query = `id=${imei}&lat=41.9&lon=-87.68&speed=0&ignition=false&timestamp=${Date.now()}`;
  expect((await fetch(`http://127.0.0.1:${test.port('osmand')}/?${query}`)).status).toBe(404);
  const mqtt = connectAsync({
    ...{ host: '127.0.0.1', port: test.port('mqtt'), clientId: imei, username: imei, password: DEVICE_KEY },
    reconnectPeriod: 0,
  });
  await expect(mqtt).rejects.toThrow();
  return [...new Set([...said, 'osmand', 'mqtt'])];
}

async function armedStop({ imei }: TestVehicle, { token }: SignedIn): Promise<Command> {
  const wanted = { imei, action: 'engineStop', mode: 'nextStop' };
  const confirm = { ...wanted, controlPassword: TEST_CONTROL_PASSWORD };
  const { body } = await call(test.url, 'POST', '/api/v1/confirm_control_pass', { token, body: confirm });
  const { grant } = body as { grant: string };
  const answer = await call(test.url, 'POST', '/api/v1/command', {
    token,
    body: { ...wanted, grant, reason: 'stolen' },
  });
  expect(answer.status, answer.text).toBe(201);
  expect(answer.body).toMatchObject({ state: 'queued', waitingFor: 'safe-stop' });
  return answer.body as Command;
}

/** A connected tracker, and the commands it has received. */
async function connected(own: (typeof owns)[number], { imei }: TestVehicle) {
  const heard: string[] = [];
  const line = await Line.to(test.port(own.name));
  let pending = Buffer.alloc(0);
  line.socket.on('data', chunk => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length > 0) {
      const next = own.hear(imei, pending);
      if (next.status === 'more') return;
      if (next.status === 'command') heard.push(JSON.stringify(next.command));
      pending = pending.subarray(next.end);
    }
  });
  line.say(...present(own.tracker.greeting(imei)));
  const says = (speed: number, ignition: boolean): void =>
    line.say(...(own.tracker as TrackerSide).reports(imei, [report(speed, ignition)], 1));
  return { heard, line, says };
}

it.each(owns)(
  'nobody but the tracker itself releases the engine stop of a $name',
  async own => {
    const vehicle = await addVehicle(test.context);
    const owner = await signedIn(test, { accountId: vehicle.accountId });
    await setTestControlPassword(test, owner);
    const read = async <T>(path: string) =>
      (await call(test.url, 'GET', `/api/v1/${path}`, { token: owner.token })).body as T;
    await vi.waitFor(async () => expect(await read('device')).toHaveLength(1), PATIENCE);
    const { heard, line, says } = await connected(own, vehicle);
    says(22, true);
    const offer = () => read<{ reachable: boolean; protocol: string }>(`command/offer?deviceId=${vehicle.id}`);
    await vi.waitFor(
      async () => expect(await offer()).toMatchObject({ reachable: true, protocol: own.name }),
      PATIENCE,
    );
    await vi.waitFor(
      async () => expect(await read(`device/${vehicle.id}`)).toMatchObject({ protocol: own.name }),
      PATIENCE,
    );
    await vi.waitFor(
      async () => expect(await read(`device/${vehicle.id}`)).toMatchObject({ live: { motion: 'moving' } }),
      PATIENCE,
    );
    const command = await armedStop(vehicle, owner);

    const strangers = await sayItStands(vehicle.imei, own.name);
    await vi.waitFor(async () => {
      const refused = await read<{ protocol: string; cause: string }[]>('refused_report');
      expect(refused.map(({ protocol }) => protocol).toSorted()).toEqual(strangers.toSorted());
    }, PATIENCE);
    await vi.waitFor(async () => {
      const { alerts } = await read<{ alerts: Alert[] }>('alert');
      expect(alerts.map(({ kind, conflict }) => [kind, conflict?.cause, conflict?.own])).toEqual([
        ['conflictingReports', 'protocol', own.name],
      ]);
    }, PATIENCE);
    // They neither release it nor end it.
    expect(await read(`command/${command.id}`)).toMatchObject({ state: 'queued', waitingFor: 'safe-stop', sent: 0 });
    expect(heard).toEqual([]);

    const { stream, tracker } = own;
    const session = { imei: vehicle.imei, receivedAt: epochMs(Date.now()) };
    const stands = tracker
      .reports(vehicle.imei, [report(0, false)], 1)
      .flatMap(frame => stream.decode(frame, session).messages);
    const tellsIgnition = stands.some(message => message.kind === 'position' && message.ignition === false);
    says(0, false);
    // Without its ignition, a vehicle has to stand for a minute.
    if (tellsIgnition) {
      await vi.waitFor(() => expect(heard).not.toEqual([]), PATIENCE);
      expect(await read(`command/${command.id}`)).toMatchObject({ sent: 1 });
    }
    line.hangUp();
  },
  60_000,
);

it('is a table that has something in it', () => {
  expect(owns.length).toBeGreaterThan(5);
});
