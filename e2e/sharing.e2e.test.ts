import { createHttpClient } from '@milepost/client';
import { createShare, listVehicles } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { expectAccessible, inColors, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { describedText, isFocused } from './support/fields.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

const TRUCK = '356307042441013';
const OTHER = '356307042441021';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const OVER = 'This link has ended or never existed. Ask the sender for a new one.';

let browser: Browser;
let milepost: Milepost;

leaveMapsOut();
beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [
    { imei: TRUCK, deviceName: '4127' },
    { imei: OTHER, deviceName: '4128' },
  ]);
  for (const imei of [TRUCK, OTHER]) await report(milepost, imei, fix(Date.now() - 60_000, LOOP));
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

async function openDialog(page: Page) {
  await page.goto('/fleet');
  await page.getByRole('checkbox', { name: /4127/ }).first().check();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Share' });
  await dialog.getByLabel('Starts').waitFor();
  return dialog;
}

it('a link is created, with errors beside the field and no input lost; it is shown once', async () => {
  const { page } = await visitSignedIn(browser, milepost.url);
  const dialog = await openDialog(page);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Load 8840');
  await dialog.getByLabel('Duration').selectOption({ label: 'Until a time you choose' });
  const until = dialog.getByLabel('Until');
  await until.fill('2026-01-01T10:00');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect.poll(() => until.evaluate(describedText)).toBe('Share for at least 10 minutes.');
  await expect.poll(() => isFocused(until)).toBe(true);
  await expect.poll(() => dialog.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Load 8840');
  await expectAccessible(page);
  await dialog.getByLabel('Duration').selectOption({ label: '8 hours' });
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect.poll(() => dialog.locator('code').textContent()).toMatch(/\/s#[\w-]{43}$/);
});

it('a visitor follows the vehicles live, until the link ends', async () => {
  const { page, token } = await visitSignedIn(browser, milepost.url);
  const http = createHttpClient({ baseUrl: milepost.url, getToken: () => token });
  const [truck] = (await http.call(listVehicles)).filter(({ imei }) => imei === TRUCK);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const wish = { deviceIds: [truck?.id ?? ''], name: 'Load 8841', expiresAt, showTrail: true, showSpeed: true };
  const { url } = await http.call(createShare, { body: wish });

  const { page: shared, complaints } = await visit(browser, milepost.url, PHONE);
  await shared.goto(`/s${new URL(url).hash}`);
  await shared.getByRole('heading', { name: 'Load 8841' }).waitFor();
  // Visitors don't see positions from before the link began.
  await shared.getByRole('button', { name: '4127, No position yet' }).waitFor();
  await report(milepost, TRUCK, fix(Date.now() + 1000, { lat: LOOP.lat + 0.01, lon: LOOP.lon }));
  const row = shared.getByRole('button', { name: /^4127, Moving/ });
  await row.waitFor();
  await expect.poll(() => row.textContent()).toMatch(/27\u202fmph/);
  expect(await shared.getByText('4128').count()).toBe(0);
  await expect.poll(() => shared.locator('meta[name="robots"]').getAttribute('content')).toContain('noindex');
  await expectAccessible(shared);
  await inColors(shared, 'dark');
  await expectAccessible(shared);

  const dialog = await openDialog(page);
  await dialog.getByRole('tab', { name: /^Links/ }).click();
  await dialog.getByText('1 view, last').waitFor();
  await dialog.getByRole('button', { name: 'End link Load 8841' }).click();
  await dialog.getByRole('button', { name: 'End link', exact: true }).click();
  await shared.getByText(OVER).waitFor();
  expect(complaints.filter(text => !text.includes('404'))).toEqual([]);
});

it('a link that never existed looks the same, in the visitor’s language', async () => {
  const { page } = await visit(browser, milepost.url, { ...PHONE, locale: 'es-MX' });
  await page.goto('/s#never-a-link');
  await page.getByRole('heading', { name: 'Este enlace ya no es válido' }).waitFor();
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('es');
});
