import { connect } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

const TRUCK = '356307042441013';

let browser: Browser;
let milepost: Milepost;
beforeAll(async () => {
  const gateways = new Map([
    ['teltonika', 0],
    ['gt06', 0],
  ] as const);
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways })]);
  await addVehicles(milepost, [{ imei: TRUCK, deviceName: '4127' }]);
  const now = Date.now();
  for (const [age, north] of [
    [9000, 0],
    [4000, 0.001],
  ] as const) {
    await report(milepost, TRUCK, fix(now - age, { ...LOOP, lat: LOOP.lat + north }));
  }
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const pieces = (page: Page) => page.getByRole('list', { name: 'What each byte means' });
const piece = (page: Page, name: RegExp) => pieces(page).getByRole('button', { name }).first();

describe('the bytes that a tracker sent', () => {
  it('open from a message, byte by byte, by keyboard alone', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto(`/?vehicle=${TRUCK}&tab=raw`);
    const open = page.getByRole('button', { name: /^Show the frame from/ });
    await open.first().waitFor();
    await open.first().focus();
    await page.keyboard.press('Enter');
    await piece(page, /latitude 41\.8791°/).waitFor();
    await expectAccessible(page);

    // Move into the list and down to the codec: its bytes are highlighted.
    await piece(page, /preamble/).focus();
    for (let i = 0; i < 2; i++) await page.keyboard.press('ArrowDown');
    await expect.poll(() => page.locator('[aria-hidden] [data-marked]').allTextContents()).toEqual(['8e']);
    await piece(page, /record 1/).focus();
    await expect.poll(() => page.locator('[aria-hidden] [data-marked]').count()).toBeGreaterThan(15);

    await page.getByRole('button', { name: 'Older message' }).click();
    await piece(page, /latitude 41\.8781°/).waitFor();
    await page.getByRole('button', { name: 'Back to messages' }).click();
    await expect.poll(() => open.nth(1).evaluate(button => button === document.activeElement)).toBe(true);
  });
});

it('an unreadable frame can be viewed and reported in Settings', async () => {
  const socket = connect(milepost.app.trackerPorts.get('gt06') ?? 0, '127.0.0.1');
  socket.write(Buffer.from('787811010352093081452251200600020001dead0d0a', 'hex'));
  const { page, token } = await visitSignedIn(browser, milepost.url);
  const listed = () => fetch(`${milepost.url}/api/v1/unknown_frame`, { headers: { authorization: `Bearer ${token}` } });
  await expect.poll(async () => (await (await listed()).json()) as unknown[]).toHaveLength(1);
  socket.destroy();
  await page.goto('/settings/system');
  await page.getByRole('button', { name: /wrong checksum/ }).click();
  await piece(page, /checksum wrong: it would be 0x/).waitFor();
  await page.getByText('could not read a gt06 frame.').waitFor();
  await expectAccessible(page);
});
