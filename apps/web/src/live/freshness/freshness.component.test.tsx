import {
  listGeofenceGroups,
  listGeofences,
  listInside,
  listVehicles,
  readBaseMap,
  readRuleProgress,
} from '@milepost/contract';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { type Answer, when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';
import { useConnection } from '../connection.ts';
import { useSockets } from '../sockets/socket-store.ts';

const PAGE: readonly Answer[] = [
  // Never answered, so there is no map to draw.
  when(readBaseMap, () => new Promise(() => {})),
  when(listVehicles, []),
  when(listGeofences, []),
  when(listGeofenceGroups, []),
  when(listInside, { inside: [], last: [], counting: 0, vehicles: 0 }),
];

/** As if everything were connected, which a component test is not. */
function connect(): void {
  const connected = { state: 'connected', sinceMs: Date.now() } as const;
  useSockets.setState({ '/eld': connected, '/geofence': connected });
  useConnection.setState({ phase: 'connected', sinceMs: Date.now() });
}

it('[R7.38] the pill says when rules and visits are more than a minute behind, and how far', async () => {
  await open('/geo-fence', [...PAGE, when(readRuleProgress, { behindSeconds: 190 })]);
  connect();
  const pill = page.getByRole('button', { name: /^Slow rules 3 min behind/ });
  await expect.element(pill).toBeVisible();
  await pill.click();
  await expect.element(page.getByText('Rules and visits')).toBeVisible();
  await expect.element(page.getByText(/^3 minutes behind/)).toBeVisible();
  await expectAccessible();
});

it('[R7.38] the pill is live while rules are less than a minute behind, as they always are', async () => {
  await open('/geo-fence', [...PAGE, when(readRuleProgress, { behindSeconds: 40 })]);
  connect();
  await page.getByRole('button', { name: /^Live/ }).click();
  await expect.element(page.getByText('Up to date')).toBeVisible();
});
