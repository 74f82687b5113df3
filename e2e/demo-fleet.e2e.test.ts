import { createHttpClient } from '@milepost/client';
import { latestPositions, listPositions, listVehicles } from '@milepost/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DrivenFleet, driveFleet } from '../apps/simulator/src/drive-fleet.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';

/** The demo as `npm start` runs it: the real server, and the fleet's trackers over their own protocols. */
describe('the demo fleet', () => {
  let milepost: Milepost;
  let fleet: DrivenFleet;
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
    fleet = await driveFleet({ url: milepost.url, token, host: '127.0.0.1', ports }, text => said.push(text), 2);
  });
  afterAll(async () => {
    fleet?.stop();
    await milepost?.close();
  });

  const http = () =>
    createHttpClient({ baseUrl: milepost.url, getToken: () => milepost.app.demo?.simulatorToken ?? null });

  it('shows forty vehicles over four protocols, half of them moving, and they move on', async () => {
    await expect
      .poll(async () => (await http().call(latestPositions)).length, { timeout: 30_000, interval: 500 })
      .toBe(40);
    const vehicles = await http().call(listVehicles);
    expect(new Set(vehicles.map(vehicle => vehicle.protocol))).toEqual(
      new Set(['teltonika', 'gt06', 'osmand', 'mqtt']),
    );
    const moving = vehicles.filter(vehicle => vehicle.live.motion === 'moving');
    expect(moving.length).toBeGreaterThan(12);

    const before = new Map(moving.map(vehicle => [vehicle.id, vehicle.live]));
    await expect
      .poll(
        async () =>
          (await http().call(listVehicles)).filter(({ id, live }) => {
            const was = before.get(id);
            return was && (live.lat !== was.lat || live.lon !== was.lon);
          }).length,
        { timeout: 30_000, interval: 1000 },
      )
      .toBeGreaterThan(10);
  });

  it('has its past behind it, delivered through the same gateways', async () => {
    await expect.poll(() => said.some(text => text.includes('past is complete')), { timeout: 90_000 }).toBe(true);
    const vehicles = await http().call(listVehicles);
    const tractor = vehicles.find(vehicle => vehicle.deviceName === '4110');
    const hour = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const day = await http().call(listPositions, {
      query: { deviceId: tractor?.id ?? '', from: hour(36), to: hour(12) },
    });
    expect(day.length).toBeGreaterThan(500);
    expect(said.filter(text => !/Driving|complete/.test(text))).toEqual([]);
  }, 120_000);
});
