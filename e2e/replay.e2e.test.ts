import { readFileSync } from 'node:fs';
import { createHttpClient } from '@milepost/client';
import { createVehicle, deleteVehicle, listPositions } from '@milepost/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GATEWAY_NAMES } from '../apps/server/src/config/config.ts';
import { readRecording } from '../apps/simulator/src/replay/recording.ts';
import { replay } from '../apps/simulator/src/replay/replay.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';

/** `npm run simulate -- replay samples/…`: every recording, byte by byte, becomes the drive that was recorded. */
let milepost: Milepost;
beforeAll(async () => {
  milepost = await startMilepost({ demo: 'on', mqttPort: 0, gateways: new Map(GATEWAY_NAMES.map(name => [name, 0])) });
});
afterAll(() => milepost?.close());

it.each(GATEWAY_NAMES)('the recording of %s becomes a drive', async protocol => {
  const recording = readRecording(readFileSync(new URL(`../samples/${protocol}.jsonl`, import.meta.url), 'utf8'));
  const token = milepost.app.demo?.simulatorToken ?? '';
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  const body = { imei: recording.imei, deviceName: `Replayed ${protocol}` };
  const { id } = await http.call(createVehicle, { body });
  const port = milepost.app.trackerPorts.get(protocol) ?? 0;
  const { sent } = await replay(recording, { host: '127.0.0.1', port, speed: 1000, timeoutMs: 100 }, () => {});
  expect(sent).toBe(recording.frames.length);
  const query = { deviceId: id, from: '2026-01-15T08:00:00Z', to: '2026-01-15T09:00:00Z' };
  await expect.poll(() => http.call(listPositions, { query })).toHaveLength(18);
  const positions = await http.call(listPositions, { query });
  expect(positions.map(({ speed }) => Math.round(speed)).slice(0, 4)).toEqual([0, 15, 30, 45]);
  // Delete it before another tracker repeats the same drive.
  await http.call(deleteVehicle, { params: { id } });
});
