import { listDrivers, listGeofences, listInside, listVehicles, listViews, readFleetPeriod } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { type Answer, when } from '../../../testing/answers.ts';
import { goTo, open } from '../../../testing/app.tsx';
import { vehicle } from '../../../testing/fleet.ts';

const ANSWERS: readonly Answer[] = [
  when(listVehicles, [vehicle('4102', { tags: ['Reefer'] })]),
  when(listDrivers, []),
  // Never answered: the table works without figures.
  when(readFleetPeriod, () => new Promise(() => {})),
  when(listViews, []),
  when(listGeofences, []),
  when(listInside, { inside: [], last: [], counting: 0, vehicles: 0 }),
];

it('[R2.07] a filter whose value does not exist says so, beside an empty table and beside a full one', async () => {
  await open('/fleet?q=in%3A%22Nowhere%22', ANSWERS);
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
