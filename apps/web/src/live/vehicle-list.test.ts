import type { Vehicle } from '@milepost/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '../base/queries.ts';
import { vehicle } from './testing/fleet.ts';
import { readVehicleList } from './vehicle-list.ts';

vi.hoisted(() => {
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', new EventTarget());
});
const requests: ((list: readonly Vehicle[]) => void)[] = [];
vi.mock('../base/api.ts', () => ({
  call: () => new Promise<readonly Vehicle[]>(resolve => requests.push(resolve)),
}));

const before = [vehicle('356307042441013')];
const after = [...before, vehicle('356307042441021')];
afterEach(() => {
  requests.length = 0;
  queryClient.clear();
});

it('[R4.12] after a change, the list is not the answer to a request from before it', async () => {
  // A driver opens the app while they sign in to a vehicle: the list is on its way without it.
  const opened = readVehicleList('kept');
  const changed = readVehicleList('changed');
  requests[0]?.(before);
  expect(await opened).toEqual(before);
  await expect.poll(() => requests.length).toBe(2);
  requests[1]?.(after);
  expect(await changed).toEqual(after);
});

it('is loaded once for all that show it at the same moment', async () => {
  const lists = Promise.all([readVehicleList('kept'), readVehicleList('newest')]);
  requests[0]?.(before);
  expect(await lists).toEqual([before, before]);
  expect(await readVehicleList('kept')).toEqual(before);
  expect(requests).toHaveLength(1);
});
