import { createHttpClient } from '@milepost/client';
import { createVehicle, latestPositions, listAlerts, listPositions, listVehicles, signIn } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrivenFleet, driveFleet } from '../apps/simulator/src/drive-fleet.ts';
import { completeUntil } from '../apps/simulator/src/missing-past.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';

/** The demo as `npm start` runs it: the real server, with the fleet's trackers using their own protocols. */
describe('the demo fleet', () => {
  let milepost: Milepost;
  let fleet: DrivenFleet;
  let beganAt: number;
  const said: string[] = [];

  beforeAll(async () => {
    milepost = await startMilepost({
      demo: 'on',
      mqttPort: 0,
      gateways: new Map([
        ['teltonika', 0],
        ['gt06', 0],
        ['osmand', 0],
      ]),
    });
    const token = milepost.app.demo?.simulatorToken ?? '';
    const ports = Object.fromEntries(milepost.app.trackerPorts);
    beganAt = Date.now();
    fleet = await driveFleet({ url: milepost.url, token, host: '127.0.0.1', ports }, text => said.push(text), 8);
  });
  afterAll(async () => {
    fleet?.stop();
    await milepost?.close();
  });

  const http = () =>
    createHttpClient({ baseUrl: milepost.url, getToken: () => milepost.app.demo?.simulatorToken ?? null });

  it('[R7.37] has rules of which one speaks within the first minute, while the past of all vehicles comes in and is counted', async () => {
    const { password, userName } = milepost.app.demo?.signIn ?? { password: '', userName: '' };
    const { token } = await http().call(signIn, { body: { password, userName } });
    const owner = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
    const spoken = async () =>
      (await owner.call(listAlerts, { query: { from: new Date(beganAt).toISOString() } })).alerts.filter(
        ({ acknowledgedAt, rule }) => rule !== null && acknowledgedAt === null,
      );
    await expect.poll(async () => (await spoken()).length, { timeout: 180_000, interval: 250 }).toBeGreaterThan(0);
    // By when it happened: a busy machine hears of it later.
    const times = (await spoken()).map(({ openedAt }) => Date.parse(openedAt) - beganAt);
    expect(Math.min(...times)).toBeLessThan(60_000);
    for (const alert of await spoken()) expect(alert.late).toBe(false);
  }, 210_000);

  it('shows forty vehicles over four protocols, and the working ones keep moving', async () => {
    await expect
      .poll(async () => (await http().call(latestPositions)).length, { timeout: 240_000, interval: 500 })
      .toBe(40);
    const protocols = async () => new Set((await http().call(listVehicles)).map(({ protocol }) => protocol));
    await expect.poll(protocols).toEqual(new Set(['teltonika', 'gt06', 'osmand', 'mqtt']));
    const vehicles = await http().call(listVehicles);
    // This must hold at any hour: on a Sunday night only two or three vehicles work, and one of them may be stopped.
    const before = new Map(vehicles.map(vehicle => [vehicle.id, vehicle.live]));
    await expect
      .poll(
        async () =>
          (await http().call(listVehicles)).filter(({ id, live }) => {
            const was = before.get(id);
            return was && live.motion === 'moving' && (live.lat !== was.lat || live.lon !== was.lon);
          }).length,
        { timeout: 900_000, interval: 1000 },
      )
      .toBeGreaterThan(0);
    expect(vehicles.filter(vehicle => vehicle.live.motion === 'moving').length).toBeLessThan(25);
  }, 930_000);

  it('has a history, delivered through the same gateways', async () => {
    await expect.poll(() => said.some(text => text.includes('history is complete')), { timeout: 240_000 }).toBe(true);
    const vehicles = await http().call(listVehicles);
    const [from, to] = [36, 12].map(hours => Date.now() - hours * 3_600_000) as [number, number];
    for (const name of ['3301', '4101', '5501', 'R-701']) {
      const deviceId = vehicles.find(({ deviceName }) => deviceName === name)?.id ?? '';
      const query = { deviceId, from: new Date(from).toISOString(), to: new Date(to).toISOString() };
      const times = (await http().call(listPositions, { query })).map(report =>
        Date.parse(`${report.reportDate}T${report.reportTime}Z`),
      );
      expect([name, times.length > 90, completeUntil(times, from, from)]).toEqual([name, true, null]);
    }
    expect(said.filter(text => !/Driving|complete/.test(text))).toEqual([]);
  }, 270_000);

  it('says how many vehicles can’t report because their protocols are turned off, and drives none that a user adds', async () => {
    const words: string[] = [];
    const { simulatorToken: token = '', fleet: demoFleet = [] } = milepost.app.demo ?? {};
    const own = { imei: '356307042441013', deviceName: '0001' };
    await http().call(createVehicle, { body: own });
    const still = await driveFleet(
      { url: milepost.url, token, host: '127.0.0.1', ports: {}, fleet: demoFleet },
      text => words.push(text),
      8,
    );
    still.stop();
    expect(words).toContain('40 vehicles can’t report: GATEWAYS or MQTT_PORT turn off gt06, teltonika, osmand, mqtt');
  });
});
