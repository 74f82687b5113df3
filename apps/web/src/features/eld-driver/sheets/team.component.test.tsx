import { type MyDuty, readMyDuty, recordDuty } from '@milepost/contract';
import { MemoryRouter } from 'react-router';
import { beforeEach, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { answerWith, when } from '../../../../testing/answers.ts';
import { Providers } from '../../../app/Providers.tsx';
import { i18n } from '../../../base/i18n.ts';
import driverTexts from '../../../locales/en-US/eld-driver.json';
import texts from '../../../locales/en-US/eld-driver-more.json';
import { useDriverDuty } from '../store/driver-duty.ts';
import type { KeptEntry } from '../store/entry.ts';
import { RefusedSheet } from './RefusedSheet.tsx';
import { TeamSheet } from './TeamSheet.tsx';
import { VehicleSheet } from './VehicleSheet.tsx';

const REQUEST = { driverId: '3', name: 'Joan Abbott', vehicleId: '42', deviceName: '4133' };
const duty = {
  ...{ vehicle: null, vehicles: [], teamRequests: [REQUEST], handedOver: [], row: { status: 'OFF' } },
  dutyLog: { timezone: 'America/Chicago' },
} as unknown as MyDuty;

const onClose = vi.fn();
beforeEach(async () => {
  onClose.mockClear();
  i18n.addResourceBundle('en-US', 'eldDriver', driverTexts);
  i18n.addResourceBundle('en-US', 'eldDriverMore', texts);
  const never = () => new Promise<never>(() => {});
  answerWith([when(recordDuty, never), when(readMyDuty, never)]);
  useDriverDuty.setState({ owner: crypto.randomUUID(), waiting: [], refused: [] });
  await page.viewport(390, 844);
});

it('a co-driver who joins is back on their own page, where it shows if the server refuses it', async () => {
  await render(
    <Providers>
      <TeamSheet duty={duty} onClose={onClose} />
    </Providers>,
  );
  await page.getByRole('button', { name: 'Join Joan Abbott as co-driver' }).click();
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
});

it('a sign-in that was refused names its vehicle, also one that has a driver; never its number in the database', async () => {
  const entry = (id: string, vehicleId: string) =>
    ({
      ...{ id, at: '2026-11-29T08:42:00Z', state: 'refused', refusal: 'in-motion', reason: null },
      action: { kind: 'sign-in', vehicleId, asCoDriver: true },
    }) as unknown as KeptEntry;
  useDriverDuty.setState({ refused: [entry('a', '42'), entry('b', '977')] });
  await render(
    <Providers>
      <RefusedSheet duty={duty} />
    </Providers>,
  );
  await expect.element(page.getByText('Sign-in to 4133')).toBeVisible();
  await expect.element(page.getByText('Sign in to a vehicle')).toBeVisible();
  expect(document.body.textContent).not.toContain('977');
});

it('a long vehicle name leaves room for the plate number in the list to sign in from', async () => {
  const vehicles = [
    { id: '1', deviceName: 'Peterbilt 579 sleeper, Green Bay to Laredo run 4477', plate: 'P614070', isUsual: true },
    { id: '2', deviceName: '4110', plate: 'P614255', isUsual: false },
  ];
  await render(
    <Providers>
      <MemoryRouter>
        <VehicleSheet duty={{ ...duty, vehicles } as MyDuty} onClose={onClose} />
      </MemoryRouter>
    </Providers>,
  );
  for (const { plate } of vehicles) {
    const { right } = page.getByText(plate).element().getBoundingClientRect();
    expect(right).toBeLessThanOrEqual(390);
  }
  // A short name has a plate of its own length.
  expect(page.getByText('4110').element().getBoundingClientRect().width).toBeLessThan(100);
});
