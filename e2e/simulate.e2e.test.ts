import { createHttpClient } from '@milepost/client';
import { latestPositions } from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GATEWAY_NAMES } from '../apps/server/src/config/config.ts';
import { sendLoad } from '../apps/simulator/src/load/load.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';

/** Protocols whose documents have no ignition. */
const WITHOUT_IGNITION: ReadonlySet<string> = new Set(['atrack', 'galileosky', 'totem', 'watch', 'xexun']);

/** `npm run simulate -- --rate …`: load over each protocol, counted by the server's acknowledgements. */
let milepost: Milepost;
beforeAll(async () => {
  milepost = await startMilepost({
    demo: 'on',
    mqttPort: 0,
    gateways: new Map(GATEWAY_NAMES.map(name => [name, 0])),
  });
});
afterAll(() => milepost?.close());

it.each([...GATEWAY_NAMES, 'mqtt'] as const)(
  'every position sent over %s is acknowledged and stored',
  async protocol => {
    const token = milepost.app.demo?.simulatorToken ?? '';
    const ports = Object.fromEntries(milepost.app.trackerPorts);
    const target = { url: milepost.url, token, host: '127.0.0.1', ports };
    const figures = await sendLoad(target, { rate: 20, vehicles: 20, protocol, seconds: 1 }, () => {});
    expect(figures).toMatchObject({ protocol, vehicles: 20, sent: 20, acknowledged: 20 });
    expect(figures.ackMsP99).toBeGreaterThan(0);

    const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
    const load = async () =>
      (await http.call(latestPositions)).filter(({ deviceName }) => deviceName.startsWith('Load '));
    await expect.poll(load).toHaveLength(20);
    const ignitionStatus = WITHOUT_IGNITION.has(protocol) ? null : 1;
    for (const report of await load()) expect(report).toMatchObject({ gpsStatus: 'A', ignitionStatus });
  },
);
