import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildChains, fileOf } from '../packages/eld/src/testing/chains.ts';
import { duty, recorded } from '../packages/eld/src/testing/entries.ts';
import { expectAccessible, launchBrowser, visit } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';

const ON_DISK = pathToFileURL(join(import.meta.dirname, '../apps/web/dist/verify-log.html')).href;
const SAMPLE = join(import.meta.dirname, '../packages/eld/src/testing/eld-output-sample.csv');

let browser: Browser;
let milepost: Milepost;

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost()]);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const choose = (page: Page, name: string, text: string) =>
  page.getByLabel('File').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text, 'latin1') });
const heading = (page: Page, name: string) => page.getByRole('status').getByRole('heading', { name });

it('a page saved to disk verifies a log, without any server', async () => {
  const { page, complaints } = await visit(browser, milepost.url, { offline: true });
  await page.goto(ON_DISK);
  const built = buildChains([recorded(duty('ON', '8:00')), recorded(duty('D', '8:30')), recorded(duty('OFF', '9:00'))]);
  await choose(page, 'log.jsonl', fileOf(built));
  await heading(page, 'log.jsonl is complete and unchanged').waitFor();
  await page.getByText('driver:12, 3 records').waitFor();
  await expectAccessible(page);

  await choose(page, 'cut.jsonl', fileOf({ ...built, own: built.own.toSpliced(1, 1) }));
  await heading(page, 'cut.jsonl failed the check').waitFor();
  await page.getByText('A record before this one is missing.').waitFor();

  await choose(page, 'log.jsonl', fileOf(built));
  await page.getByLabel('Daily roots or SHA-256 you have kept, if any').fill('ab'.repeat(32));
  await page.keyboard.press('Tab');
  await page.getByText('The root you have kept does not match any day of this log.').waitFor();
  expect(complaints).toEqual([]);
});

it('the server’s page runs in its sandbox and names the line of an output file that does not match', async () => {
  const { page, complaints } = await visit(browser, milepost.url);
  await page.goto('/verify-log.html');
  expect(await page.evaluate(() => origin)).toBe('null');
  const sample = readFileSync(SAMPLE, 'latin1');
  await choose(page, 'sample.csv', sample);
  await heading(page, 'sample.csv matches its check values').waitFor();
  await choose(page, 'forged.csv', sample.replace('134500', '124500'));
  await page.getByText('Line 17, ELD Event List: The line does not match its check value').waitFor();
  expect(complaints).toEqual([]);
});
