import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ALL_ROUTES } from '../packages/contract/src/index.ts';
import { launchBrowser, nextFrame, visit } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

it('/docs shows every call and tries one, and its content security policy blocks nothing it needs', async () => {
  const { page, complaints } = await visit(browser, milepost.url);
  await page.goto('/docs');
  const calls = page.locator('.opblock');
  await calls.first().waitFor();
  // Of the many calls, only those in view are rendered.
  const shown = new Set<string>();
  const atEnd = () => page.evaluate(() => window.innerHeight + window.scrollY >= document.body.scrollHeight - 1);
  const lookThrough = async (): Promise<number> => {
    await page.evaluate(() => window.scrollTo(0, 0));
    for (let isLast = false; !isLast; ) {
      isLast = await atEnd();
      for (const id of await calls.evaluateAll(drawn => drawn.map(({ id }) => id))) shown.add(id);
      await page.evaluate(() => window.scrollBy(0, window.innerHeight / 2));
      await nextFrame(page);
    }
    return shown.size;
  };
  // A busy machine draws what comes into view some frames later.
  await expect.poll(lookThrough).toBe(ALL_ROUTES.length);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByText('/api/v1/check_internet_status').click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table').getByText('"status": "ok"').waitFor();
  expect(complaints).toEqual([]);
});
