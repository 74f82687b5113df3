import {
  listMyDocuments,
  listMyTasks,
  listVehicleDocuments,
  listVehicles,
  readMyDriver,
  readMyPrivacy,
  readVehicleDay,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { when } from '../../../../testing/answers.ts';
import { open, someone } from '../../../../testing/app.tsx';
import { vehicle } from '../../../../testing/fleet.ts';
import { driver } from '../../../../testing/people.ts';

it('on a driver’s phone, a long vehicle name takes the whole row and ends in dots, not in half a letter', async () => {
  await page.viewport(390, 844);
  const unit = vehicle('Peterbilt 579 sleeper, Green Bay to Laredo run 4477');
  const { id, imei, deviceName } = unit;
  const me = driver('Rosa Medina', { vehicle: { id, imei, deviceName, source: 'usual' } });
  await open(
    '/personal',
    [
      when(readMyDriver, { driver: me }),
      when(listVehicles, [unit]),
      when(listMyTasks, []),
      when(listMyDocuments, []),
      when(listVehicleDocuments, []),
      // Never answered: the card works without the day.
      when(readVehicleDay, () => new Promise(() => {})),
      when(readMyPrivacy, {
        driver: { id: me.id, name: me.name, hasCard: false },
        vehicle: { id, deviceName },
        keepPositionsDays: null,
        keepLooksDays: 365,
        viewers: [],
        links: [],
        privateTime: { isNow: false, driveSince: null, noDrive: null, personalUse: false, hours: [], openings: [] },
      }),
    ],
    { me: someone({ role: 'driver', displayName: me.name }) },
  );
  const plate = page.getByText(deviceName, { exact: true });
  await expect.element(plate).toBeVisible();
  const drawn = plate.element().getBoundingClientRect();
  expect(getComputedStyle(plate.element())).toMatchObject({ display: 'block', textOverflow: 'ellipsis' });
  const told = page.getByText('You’re its usual driver').element().getBoundingClientRect();
  expect(told.top).toBeGreaterThanOrEqual(drawn.bottom);
});
