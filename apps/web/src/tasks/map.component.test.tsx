import { listMyDocuments, listMyTasks, listVehicles, readBaseMap, readMyDriver } from '@milepost/contract';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessible.ts';
import { when } from '../../testing/answers.ts';
import { open, someone } from '../../testing/app.tsx';
import { driver } from '../../testing/people.ts';
import { useConnectivity } from '../base/connectivity.ts';
import { newTask } from './test-task.ts';

const joan = driver('Joan Abbott');
const dock = { name: 'Wichita DC, dock 9', lat: 37.73, lon: -97.33, radiusM: 200, actions: [] };
const market = { name: 'Salina market', lat: 38.84, lon: -97.61, actions: [] };
const task = newTask({ id: '7', title: 'Deliver 18 pallets', state: 'enroute', stops: [dock] });

const openMine = (tasks = [task]) =>
  open(
    '/personal',
    [
      when(readMyDriver, { driver: joan }),
      when(listMyDocuments, []),
      when(listVehicles, []),
      when(readBaseMap, { map: { kind: 'built-in' }, decidedBy: 'nobody' }),
      when(listMyTasks, tasks),
    ],
    { me: someone({ id: crypto.randomUUID(), role: 'driver' }) },
  );
const OFFLINE = {
  status: 'offline',
  cause: 'network',
  since: Date.now(),
  failures: 1,
  lastOkAt: null,
  nextCheckAt: null,
} as const;
const card = page.getByRole('article', { name: 'Deliver 18 pallets' });

beforeEach(() => page.viewport(390, 844));
afterEach(() => useConnectivity.setState({ status: 'online', lastOkAt: null, nextCheckAt: null }, true));

it('says so where the browser draws no maps, once, on the task that comes first', async () => {
  const later = newTask({ id: '8', title: 'Pick up 10 pallets', state: 'accepted', stops: [market] });
  await openMine([task, later]);
  await expect.element(page.getByRole('article', { name: 'Pick up 10 pallets' })).toBeVisible();
  const noMap = page.getByText('This browser can’t show the map. Use Directions at each stop.');
  await expect.element(noMap).toBeVisible();
  expect(noMap.elements()).toHaveLength(1);
  await expect.element(card.getByText('This browser can’t show the map.')).toBeVisible();
  await expectAccessible();
});

it('[N4] says the place in words where there is no network, with its directions', async () => {
  useConnectivity.setState(OFFLINE, true);
  await openMine();
  await expect.element(card.getByText('The map needs a connection.')).toBeVisible();
  await expect.element(card.getByText('Wichita DC, dock 9 (37.73000, -97.33000)')).toBeVisible();
  await expect.element(card.getByRole('link', { name: 'Directions to Wichita DC, dock 9' })).toBeVisible();
  expect(card.getByText('This browser can’t show the map.').elements()).toHaveLength(0);
  await expectAccessible();
});
