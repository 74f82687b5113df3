import { listDrivers, listTaskFits, listVehicles, readTaskFile } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';
import { vehicle } from '../../../testing/fleet.ts';
import { boardOf, tasksAre } from '../../../testing/logs.ts';
import { driver } from '../../../testing/people.ts';
import { newTask } from '../../tasks/test-task.ts';

it('on a phone, the board shows the whole name of each driver’s vehicle', async () => {
  await page.viewport(390, 844);
  const unit = vehicle('R-703');
  const aboard = { id: unit.id, imei: unit.imei, deviceName: unit.deviceName, source: 'usual' } as const;
  await open('/dispatch', [
    when(listDrivers, [driver('Mei-Ling Chou-Castellano', { vehicle: aboard })]),
    when(listVehicles, [unit]),
    tasksAre(newTask({ id: '7', title: 'Linen pickup', state: 'accepted' })),
    boardOf(),
    when(listTaskFits, {
      at: '2026-11-20T15:00:00Z',
      drivers: [],
      assumes: { roadFactor: 1.3, speedMps: 20, stopS: 900 },
    }),
  ]);
  const plate = page.getByText('R-703', { exact: true });
  await expect.element(plate).toBeVisible();
  const { scrollWidth, clientWidth } = plate.element();
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
});

it('[R7.36] what a driver proved a task with is headed by what it is: a signature alone is no photo', async () => {
  await page.viewport(1440, 900);
  const proof = { photos: 0, hasSignature: true, signedBy: 'Pat Ruiz', note: '' };
  await open('/dispatch?open=7', [
    when(listDrivers, []),
    when(listVehicles, []),
    tasksAre(newTask({ id: '7', title: 'Linen pickup', state: 'done', proof })),
    boardOf(),
    when(listTaskFits, {
      at: '2026-11-20T15:00:00Z',
      drivers: [],
      assumes: { roadFactor: 1.3, speedMps: 20, stopS: 900 },
    }),
    when(readTaskFile, () => new Promise(() => {})),
  ]);
  await expect.element(page.getByText('Signed by Pat Ruiz').first()).toBeVisible();
  await expect.element(page.getByRole('heading', { name: 'Signature' })).toBeInTheDocument();
  expect(page.getByRole('heading', { name: 'Photo' }).elements()).toEqual([]);
});
