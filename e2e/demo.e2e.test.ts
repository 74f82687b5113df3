import { metresPerSecond } from '@milepost/units';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_FLEET } from '../apps/server/src/modules/demo/fleet.ts';
import { expectAccessible, inColors, launchBrowser, leaveMapsOut, visit } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { fix, LOOP, report } from './support/tracker.ts';

const [TRUCK] = DEMO_FLEET;

let browser: Browser;
let milepost: Milepost;

leaveMapsOut();
beforeAll(async () => {
  [browser, milepost] = await Promise.all([
    launchBrowser(),
    startMilepost({ demo: 'public', owner: null, gateways: new Map([['teltonika', 0]]) }),
  ]);
  const start = Date.now() - 5 * 60_000;
  const way = Array.from({ length: 6 }, (_, i) => fix(start + i * 60_000, { ...LOOP, lat: LOOP.lat + i * 0.006 }));
  await report(milepost, TRUCK!.imei, ...way);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

async function enter(page: Page): Promise<void> {
  await page.goto('/login');
  await page.getByRole('link', { name: 'Try the demo' }).click();
  await page.getByRole('button', { name: 'Enter the demo fleet' }).click();
  await page.getByText('You are looking at the demo.').waitFor();
}
const row = (page: Page) => page.getByRole('treeitem', { name: new RegExp(`^${TRUCK!.name}`) });

it('[R2.03] two visitors enter the real product without signing up, and see a vehicle move', async () => {
  const [{ page, complaints }, { page: other }] = [
    await visit(browser, milepost.url),
    await visit(browser, milepost.url),
  ];
  for (const visitor of [page, other]) await enter(visitor);
  for (const visitor of [page, other])
    await row(visitor)
      .getByText(/27\u202fmph/)
      .waitFor();
  await report(
    milepost,
    TRUCK!.imei,
    // As far as it can have driven since then.
    fix(Date.now(), { ...LOOP, lat: LOOP.lat + 0.0301 }, { speed: metresPerSecond(25) }),
  );
  for (const visitor of [page, other])
    await row(visitor)
      .getByText(/56\u202fmph/)
      .waitFor();
  expect(complaints).toEqual([]);
});

it('[R2.03] says what there is to look at, and links to it', async () => {
  const { page } = await visit(browser, milepost.url);
  await page.goto('/demo');
  await page.getByRole('button', { name: 'Enter the demo fleet' }).waitFor();
  await expectAccessible(page);
  await enter(page);
  await page.getByRole('link', { name: 'What to look at' }).click();
  const hint = page.getByRole('link', { name: new RegExp(`${TRUCK!.name} has been on the road`) });
  await hint.waitFor();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await inColors(page, 'dark');
  await expectAccessible(page);
  await hint.click();
  await expect.poll(() => page.url()).toContain(`vehicle=${TRUCK!.imei}`);
});

it('[R2.03] nothing can be changed, and every page says so kindly', async () => {
  const { page } = await visit(browser, milepost.url);
  await enter(page);
  const main = page.locator('#main');
  for (const path of ['/assets', '/personal', '/fleet']) {
    await page.goto(path);
    await main.getByText(TRUCK!.name, { exact: true }).or(main.getByText('Dana Whitlock')).first().waitFor();
    expect(await main.getByRole('button', { name: /^(Add|Import|New|Delete)/ }).count()).toBe(0);
  }
  await page.goto('/profile');
  await page.getByText('This is a read-only demo, so there is no profile to change.').waitFor();
  await page.goto('/settings/organisation');
  await page.getByText('You can view these settings but not change them.').waitFor();
  const refusal = await page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'content-type': 'application/json' };
    const answer = await fetch('/api/v1/folder', { method: 'POST', headers, body: JSON.stringify({ name: 'Mine' }) });
    return ((await answer.json()) as { title: string }).title;
  });
  expect(refusal).toBe('This is a read-only demo. Nothing was changed.');
});
