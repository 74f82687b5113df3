import {
  listAlerts,
  listRules,
  listVehicleMutes,
  listVehicles,
  muteVehicle,
  readMyNotifications,
  type VehicleMute,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { sent, when } from '../../../testing/answers.ts';
import { open, someone } from '../../../testing/app.tsx';
import { anAlert } from '../../alerts/testing/alert.ts';
import { NIGHT } from '../../geofences/testing/geofences.ts';

/** One vehicle is muted for a while where its alerts are read, and notifies again by a click. */

const HOUR_MS = 3_600_000;
const ALERT = anAlert(crypto.randomUUID());
const muteOf = (fields: Partial<VehicleMute>): VehicleMute => ({
  ...{ deviceId: ALERT.deviceId ?? '', deviceName: ALERT.deviceName ?? '', about: null, name: null },
  ...{ until: null, since: new Date().toISOString(), by: 'Nora Kessler' },
  ...fields,
});
const answers = (mutes: VehicleMute[]) => [
  when(listAlerts, { alerts: [ALERT], unacknowledged: { critical: 1, warning: 0, info: 0 } }),
  when(readMyNotifications, () => new Promise(() => {})),
  when(listRules, [NIGHT]),
  when(listVehicles, []),
  when(listVehicleMutes, mutes),
  when(muteVehicle, ({ body: { about, mute } }) => (mute ? [muteOf({ about, until: mute.until })] : [])),
];

it('[R2.08] a vehicle is muted for an hour from one of its alerts, with all of them or this kind, and notifies again', async () => {
  const now = Date.now();
  await open('/alerts', answers([]));
  await page.getByRole('button', { name: /^Actions for SOS button pressed/ }).click();
  await page.getByRole('menuitem', { name: `Mute alerts for ${ALERT.deviceName}` }).click();
  const dialog = page.getByRole('dialog', { name: `Mute alerts for ${ALERT.deviceName}` });
  await expect.element(dialog.getByLabelText('Which alerts')).toHaveValue('sos');
  await expectAccessible();
  await page.viewport(390, 844);
  await expectAccessible();
  await dialog.getByLabelText('Which alerts').selectOptions('All alerts except SOS');
  await expect.element(dialog.getByText(/An SOS still notifies/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Mute', exact: true }).click();
  const note = page.getByText(/^All alerts for .* except SOS are muted until .* Muted by Nora Kessler\.$/);
  await expect.element(note).toBeVisible();
  const asked = sent(muteVehicle).at(-1);
  expect(asked?.body.about).toBeNull();
  expect(Date.parse(asked?.body.mute?.until ?? '') - now).toBeGreaterThanOrEqual(HOUR_MS);
  await expectAccessible();
  await page.getByRole('button', { name: `Turn notifications on for ${ALERT.deviceName}` }).click();
  await expect.element(note).not.toBeInTheDocument();
  expect(sent(muteVehicle).at(-1)?.body).toEqual({ about: null, mute: null });
});

it('[R2.08] more than three are counted, and listed on a click; one that is over is not shown', async () => {
  const over = muteOf({ deviceId: '90', deviceName: '90', until: new Date(Date.now() - HOUR_MS).toISOString() });
  const four = ['91', '92', '93', '94'].map(id => muteOf({ deviceId: id, deviceName: id, about: '7', name: 'Night' }));
  await open('/alerts', answers([over, ...four]), { me: someone({ role: 'viewer' }) });
  await page.getByText('Alerts for 4 vehicles are muted').click();
  await expect.element(page.getByText(/^“Night” is muted for 93: its alerts are recorded/)).toBeVisible();
  await expect.element(page.getByText(/muted for 90/)).not.toBeInTheDocument();
  await expect.element(page.getByRole('button', { name: /^Turn notifications on/ })).not.toBeInTheDocument();
  await expectAccessible();
});
