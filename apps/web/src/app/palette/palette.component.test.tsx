import { findAddresses, findTowns, listDrivers, listFolders, listVehicles, readMyUsers } from '@milepost/contract';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessible.ts';
import { type Answer, sent, when } from '../../../testing/answers.ts';
import { open } from '../../../testing/app.tsx';
import { takeView } from '../../map/asked-view.ts';

const ANSWERS: readonly Answer[] = [
  when(listVehicles, []),
  when(listFolders, []),
  when(listDrivers, []),
  when(readMyUsers, []),
  when(findTowns, [{ name: 'Fulton', region: 'MO', lat: 38.85, lon: -91.95 }]),
];
const fulton = { name: '1200 West Fulton Market', region: 'Chicago, Illinois', lat: 41.8865, lon: -87.6573 };

async function search(text: string): Promise<void> {
  await expect.element(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await page.getByRole('combobox', { name: 'Search' }).fill(text);
}

it('an address that the service finds is among the results, and the map goes there', async () => {
  await open('/no/such/page', [...ANSWERS, when(findAddresses, { service: 'answered', addresses: [fulton] })]);
  await search('1200 w fulton');
  const found = page.getByRole('option', { name: /^1200 West Fulton Market\s*Chicago, Illinois/ });
  await expect.element(found).toBeVisible();
  await expect.element(page.getByText('Addresses © OpenStreetMap contributors')).toBeVisible();
  await expectAccessible();
  await found.click();
  await expect.poll(() => location.pathname).toBe('/');
  // No map is on the page to take it.
  expect(takeView()).toMatchObject({ center: [fulton.lon, fulton.lat] });
});

it('a service that does not answer is told apart from an address that does not exist', async () => {
  await open('/no/such/page', [...ANSWERS, when(findAddresses, { service: 'unavailable', addresses: [] })]);
  await search('1200 w fulton');
  await expect.element(page.getByRole('option', { name: /^Address search isn’t available right now/ })).toBeVisible();
});

it('a server without a service is asked once', async () => {
  await open('/no/such/page', [...ANSWERS, when(findAddresses, { service: 'none', addresses: [] })]);
  await search('fulton');
  await expect.poll(() => sent(findAddresses).length).toBe(1);
  await page.getByRole('combobox', { name: 'Search' }).fill('fulton mo');
  await expect.poll(() => sent(findTowns).length).toBe(2);
  await expect.element(page.getByRole('option', { name: /^Fulton/ })).toBeVisible();
  // Longer than the pause after which it would be asked again.
  await new Promise(done => setTimeout(done, 700));
  expect(sent(findAddresses)).toHaveLength(1);
});

it('what is chosen by keyboard leaves the focus in the page that opens', async () => {
  await open('/no/such/page', ANSWERS);
  await search('vehicles');
  await expect.element(page.getByRole('option', { name: /^Vehicles/ }).first()).toBeVisible();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => location.pathname).not.toBe('/no/such/page');
  await expect.poll(() => document.activeElement?.closest('#main')?.id ?? document.activeElement?.tagName).toBe('main');
});
