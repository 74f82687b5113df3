import { listDrivers, listGeofences, listInside, listVehicles, listViews, readFleetPeriod } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { type Answer, when } from '../../../testing/answers.ts';
import { goTo, open } from '../../../testing/app.tsx';
import { vehicle } from '../../../testing/fleet.ts';
import { boardOf, tasksAre } from '../../../testing/logs.ts';
import { newRow } from '../../logbook/test-row.ts';
import { newTask } from '../../tasks/test-task.ts';

const ANN = { id: '7', name: 'Ann Lee', source: 'signed-in' as const };
const TRUCK = vehicle('4102', { tags: ['Reefer'], driver: ANN });
const ANSWERS: readonly Answer[] = [
  when(listVehicles, [TRUCK]),
  when(listDrivers, []),
  // Never answered: the table works without figures.
  when(readFleetPeriod, () => new Promise(() => {})),
  when(listViews, []),
  when(listGeofences, []),
  when(listInside, { inside: [], last: [], counting: 0, vehicles: 0 }),
];

it('[R2.07] a filter whose value does not exist says so, beside an empty table and beside a full one', async () => {
  await open('/fleet?q=in%3A%22Nowhere%22', [...ANSWERS, boardOf(), tasksAre()]);
  await expect.element(page.getByText('There is no geofence “Nowhere”.')).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await expectAccessible();
  goTo('/fleet?q=-tag%3Aflatbed');
  await expect.element(page.getByText('No vehicle has the tag “flatbed”.')).toBeVisible();
  await expect.element(page.getByText('4102')).toBeVisible();
  goTo('/fleet?q=status%3Aflying%20speed%3Efast');
  await expect.element(page.getByText(/“flying” is not a status. .+ “speed>fast” is not a limit/)).toBeVisible();
  goTo('/fleet?q=tag%3Areefer');
  await expect.element(page.getByText('4102')).toBeVisible();
  await expect.element(page.getByText(/No vehicle has the tag/)).not.toBeInTheDocument();
});

it('[R2.07] where drivers keep logs and have tasks, their status, the hours left and the next task have columns', async () => {
  const { id, deviceName, imei } = TRUCK;
  const row = { ...newRow('Ann Lee', 'D', { drive: 250, window: 300 }), at: new Date().toISOString() };
  await open('/fleet', [
    ...ANSWERS,
    boardOf({ ...row, driverId: ANN.id, vehicle: { id, deviceName, imei } }),
    tasksAre(newTask({ ref: 'LH 2215', driver: ANN, state: 'arrived' })),
  ]);
  await expect.element(page.getByRole('columnheader', { name: 'Drive / shift left' })).toBeVisible();
  await expect.element(page.getByRole('cell', { name: 'Driving Ann Lee' })).toBeVisible();
  await expect.element(page.getByText(/^4:(10|09) \/ (5:00|4:59)$/)).toBeVisible();
  await expect.element(page.getByText('LH 2215 · there now')).toBeVisible();
  await expectAccessible();
});

it('[R2.07] an account without logs and tasks has no empty columns for them', async () => {
  await open('/fleet', [...ANSWERS, boardOf(), tasksAre()]);
  await expect.element(page.getByText('Ann Lee')).toBeVisible();
  await expect.element(page.getByRole('columnheader', { name: 'Driver' })).toBeVisible();
  expect(page.getByRole('columnheader', { name: 'Next task' }).elements()).toEqual([]);
  expect(page.getByRole('columnheader', { name: 'Drive / shift left' }).elements()).toEqual([]);
});

it('[R2.07] a long list scrolls in its table, and nothing is left to scroll below it', async () => {
  await page.viewport(1440, 900);
  const many = Array.from({ length: 30 }, (_, i) => vehicle(`51${i.toString().padStart(2, '0')}`));
  await open('/fleet', [when(listVehicles, many), ...ANSWERS.slice(1), boardOf(), tasksAre()]);
  await expect.element(page.getByText('5100', { exact: true })).toBeVisible();
  const main = page.getByRole('main').element();
  expect(main.scrollHeight).toBe(main.clientHeight);
});
