import { listVehicles } from '@milepost/contract';
import { metresPerSecond } from '@milepost/units';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectAccessible, launchBrowser, leaveMapsOut, nextFrame } from './support/browser.ts';
import { type Milepost, startMilepost } from './support/milepost.ts';
import { goTo, samePage } from './support/same-page.ts';
import { ownerApi, visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

const [TRUCK, VAN] = ['356307042441013', '356938035643809'];
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The user's time zone, whose days are not those of UTC. */
const ZONE = { timezoneId: 'America/Chicago' };
/** Around noon of the day before yesterday, in the user's time zone. */
const NOON = Date.parse(`${new Date().toLocaleDateString('en-CA', { timeZone: ZONE.timezoneId })}T18:00Z`) - 2 * DAY;

let browser: Browser;
let milepost: Milepost;
const ids = new Map<string, string>();

/** A drive north of this many minutes, starting one minute after noon, then parked with the engine off. */
const drive = (fromMinute: number, minutes: number, startLat: number = LOOP.lat) =>
  Array.from({ length: minutes + 12 }, (_, i) =>
    fix(
      NOON + (fromMinute + i) * MINUTE,
      { lat: startLat + Math.min(i, minutes) * 0.0065, lon: LOOP.lon },
      { speed: metresPerSecond(i < minutes ? 12 : 0), ignition: i < minutes },
    ),
  );

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [
    { imei: TRUCK, deviceName: '4127' },
    { imei: VAN, deviceName: '4151' },
  ]);
  // Half an hour without reports while the truck is moved elsewhere; meanwhile the van drives.
  const [before, after] = [drive(0, 20).slice(0, 20), drive(50, 20, LOOP.lat + 0.4)];
  await report(milepost, TRUCK, ...before, ...after);
  await report(milepost, VAN, ...drive(10, 40, LOOP.lat - 0.3));
  const { call } = await ownerApi(milepost);
  for (const { id, deviceName } of await call(listVehicles)) ids.set(deviceName, id);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

const instant = (ms: number): string => new Date(ms).toISOString().replace('.000', '');
const addressOf = (vehicles: readonly string[], more = ''): string =>
  `/replay?vehicles=${vehicles.map(name => ids.get(name)).join(',')}` +
  `&from=${instant(NOON - 60 * MINUTE)}&to=${instant(NOON + 120 * MINUTE)}${more}`;
const at = (minutes: number): string => `&at=${instant(NOON + minutes * MINUTE)}`;

const clock = (page: Page) => page.getByRole('timer', { name: 'Time of the replay' });
const clockText = async (page: Page): Promise<string> => ((await clock(page).textContent()) ?? '').slice(0, 8);
/** Local time of the user, as displayed. */
const wall = (minutes: number): string =>
  new Date(NOON + minutes * MINUTE).toLocaleTimeString('en-US', { hourCycle: 'h23', timeZone: ZONE.timezoneId });
const readout = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Vehicles at this moment' }).getByRole('listitem').filter({ hasText: name });

const openHere = samePage(() => ({ browser, milepost }), ZONE);

async function open(address: string): Promise<Page> {
  const { page } = await openHere(address);
  await page.getByRole('heading', { name: 'Replay', exact: true }).waitFor();
  return page;
}

describe('[R2.06] replay', () => {
  it('shows several vehicles at one moment, and the same address shows the same to everyone', async () => {
    const page = await open(addressOf(['4127', '4151'], at(15)));
    await expect.poll(() => readout(page, '4127').textContent()).toMatch(/27\smphDriving$/);
    await expect.poll(() => readout(page, '4151').textContent()).toMatch(/27\smphDriving$/);
    await expect.poll(() => clockText(page)).toBe(wall(15));
    await page.getByRole('img', { name: /^4127: .* driving/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/&at=\d{4}-\d\d-\d\dT\d\d:15:10Z/);
    const { page: other } = await visitSignedIn(browser, milepost.url, ZONE);
    await other.goto(page.url());
    await expect.poll(() => clockText(other)).toBe(wall(15 + 1 / 6));
    const text = await readout(page, '4127').textContent();
    await expect.poll(() => readout(other, '4127').textContent()).toBe(text);
  });

  it('does not claim that a vehicle drove while it was silent', async () => {
    const page = await open(addressOf(['4127'], at(40)));
    await expect.poll(() => readout(page, '4127').textContent()).toContain(`No data since ${wall(19).slice(0, 5)}`);
    await expect.poll(() => page.locator('rect[data-kind="gap"]').count()).toBeGreaterThan(0);
    const events = page.getByRole('tabpanel', { name: /^Stops and events/ }).getByRole('listitem');
    await events.filter({ hasText: 'No reports' }).waitFor();
  });

  it('plays in proportion to real time, faster and slower, and is controlled by keys', async () => {
    const page = await open(addressOf(['4127', '4151'], `${at(1)}&speed=300`));
    await readout(page, '4127').waitFor();
    await expect.poll(() => page.getByRole('button', { name: '×300' }).getAttribute('aria-pressed')).toBe('true');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await expect.poll(() => clockText(page)).not.toBe(wall(1));
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    await nextFrame(page);
    const stood = await clockText(page);
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(url => !url.search.includes('speed='));
    await expect.poll(() => clockText(page)).toBe(stood);
    await page.keyboard.press('ArrowUp');
    await page.waitForURL(/speed=300/);
    await page.keyboard.press('Shift+ArrowLeft');
    const [hours, minutes, seconds] = stood.split(':').map(Number) as [number, number, number];
    const earlier = new Date(Date.UTC(2026, 0, 1, hours, minutes - 1, seconds)).toISOString().slice(11, 19);
    await expect.poll(() => clockText(page)).toBe(earlier);
    const slider = page.getByRole('slider', { name: 'Time' });
    await slider.focus();
    await page.keyboard.press('Home');
    await expect.poll(() => clockText(page)).toBe(wall(-60));
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain(wall(-60));
  });

  it('steps from event to event, and jumps to an event in the list', async () => {
    const page = await open(addressOf(['4127', '4151'], at(-30)));
    const trips = page.getByRole('tab', { name: /^Trips/ });
    await trips.click();
    const rows = page.getByRole('tabpanel').getByRole('listitem');
    await expect.poll(() => rows.count()).toBeGreaterThan(1);
    await rows.filter({ hasText: '4151' }).first().getByRole('button').click();
    await expect.poll(() => clockText(page)).not.toBe(wall(-30));
    const stop = await clockText(page);
    await expect.poll(() => rows.and(page.locator('[aria-current]')).textContent()).toContain('4151');
    await page.keyboard.press('p');
    await expect.poll(() => clockText(page)).not.toBe(stop);
    await page.keyboard.press('n');
    await expect.poll(() => clockText(page)).toBe(stop);
  });

  it('shows the days with data and their distance, and goes from day to day', async () => {
    const page = await open(`/replay?vehicles=${ids.get('4127')}`);
    await page.getByText('No data in this period').waitFor();
    // Two presses count, also when the second comes before the first has shown.
    await page.getByRole('button', { name: 'Previous day' }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    await readout(page, '4127').waitFor();
    await expect.poll(() => page.getByText('No data in this period').count()).toBe(0);
    const day = new Date(NOON).toLocaleDateString('en-US', {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      timeZone: ZONE.timezoneId,
    });
    await page.getByRole('button', { name: day, exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Choose a day' });
    const monthOf = (ms: number) =>
      new Date(ms).toLocaleDateString('en-US', { month: 'long', timeZone: ZONE.timezoneId });
    if (monthOf(NOON) !== monthOf(Date.now())) {
      await dialog.getByRole('button', { name: 'Previous month' }).click();
    }
    await dialog.getByRole('button', { name: new RegExp(`^${day} \\d+\\smi$`) }).waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('To').fill(await dialog.getByLabel('From').inputValue());
    await dialog.getByText('Choose an end after the start').waitFor();
  });

  it('adds and removes vehicles one by one', async () => {
    const page = await open('/replay');
    await page.getByText('Choose vehicles to replay').waitFor();
    await page.getByRole('button', { name: 'Vehicle or folder' }).click();
    await page.getByRole('dialog').getByLabel('4151').click();
    await page.waitForURL(new RegExp(`vehicles=${ids.get('4151')}&`));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove 4151' }).click();
    const choice = page.getByRole('region', { name: 'Choose vehicles to replay' });
    await expect.poll(() => choice.getByRole('button', { name: 'Replay', exact: true }).isDisabled()).toBe(true);
    await choice.getByLabel('4127').click();
    await choice.getByLabel('4151').click();
    await choice.getByRole('button', { name: 'Replay 2 vehicles' }).click();
    await page.waitForURL(new RegExp(`vehicles=${ids.get('4127')}(,|%2C)${ids.get('4151')}&`));
  });

  it('keeps a click that comes just when the clock updates the address', async () => {
    const page = await open(addressOf(['4127', '4151'], at(15)));
    await readout(page, '4151').waitFor();
    await page.getByRole('button', { name: 'Remove 4151' }).evaluate((button: HTMLElement) => {
      // The click comes first, and the clock's timer right after it, before the page has rendered.
      setTimeout(() => button.click(), 390);
      button.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
      const due = performance.now() + 500;
      while (performance.now() < due);
    });
    await page.waitForURL(/&at=\d{4}-\d\d-\d\dT\d\d:15:10Z/);
    await expect.poll(() => new URL(page.url()).searchParams.get('vehicles')).toBe(ids.get('4127'));
    await expect.poll(() => page.getByRole('button', { name: 'Remove 4151' }).count()).toBe(0);
  });

  it('opens from a report’s row at its time, and from a vehicle’s card', async () => {
    const { page } = await openHere('/reports/trips');
    const day = new Date(NOON).toLocaleDateString('en-CA', { timeZone: ZONE.timezoneId });
    await page.evaluate(goTo, `/reports/trips?from=${day}&to=${day}&vehicles=${ids.get('4151')}`);
    await page.getByRole('link', { name: '4151: show what this is made from' }).first().click();
    await page.waitForURL(/\/replay\?vehicles=\d+&from=.*&to=.*&at=/);
    await expect.poll(() => readout(page, '4151').textContent()).toContain('mph');
    expect(Math.abs(Date.parse(new URL(page.url()).searchParams.get('at') ?? '') - (NOON + 10 * MINUTE))).toBeLessThan(
      2 * MINUTE,
    );

    await page.evaluate(goTo, `/?vehicle=${VAN}`);
    await page.getByRole('complementary', { name: '4151' }).getByRole('link', { name: 'Replay', exact: true }).click();
    await page.waitForURL(new RegExp(`/replay\\?vehicles=${ids.get('4151')}&from=`));
    await page.getByText('No data in this period').waitFor();
  });

  it('repeats a part of the time', async () => {
    const page = await open(addressOf(['4127'], `${at(2)}&speed=300`));
    await readout(page, '4127').waitFor();
    await page.getByRole('button', { name: 'Loop from here (A)' }).click();
    await page.getByRole('slider', { name: 'Time' }).press('ArrowUp');
    await page.keyboard.press('b');
    const loop = page.getByRole('switch', { name: 'Loop A to B' });
    await loop.waitFor();
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    const seen = new Set<boolean>();
    // At ×300, one minute takes a fifth of a second, so it has repeated many times.
    for (let i = 0; i < 10; i++) {
      await page.waitForTimeout(100);
      const now = await clockText(page);
      seen.add(now >= wall(2) && now <= wall(3));
    }
    expect([...seen]).toEqual([true]);
    await page.getByRole('button', { name: 'Pause' }).click();
    await loop.click();
    await loop.waitFor({ state: 'detached' });
  });

  it('starts where the first vehicle drives', async () => {
    const page = await open(addressOf(['4151']));
    await expect.poll(async () => (await clockText(page)) >= wall(9) && (await clockText(page)) <= wall(12)).toBe(true);
  });

  it('has room for its vehicles and all of its buttons on a tablet, in words or as icons', async () => {
    const page = await open(addressOf(['4127', '4151'], at(15)));
    for (const width of [768, 900, 1024, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await nextFrame(page);
      const buttons = ['4127', '4151', 'Vehicle or folder', 'Inside an area', 'Download', 'Evidence pack'];
      for (const name of [...buttons, 'Copy a link to this moment']) {
        const button = page.getByRole('banner').or(page.locator('header')).getByRole('button', { name }).first();
        // A click goes only to what is in view and not covered.
        await button.click({ trial: true });
        const right = async () => {
          const box = await button.boundingBox();
          return (box?.x ?? width) + (box?.width ?? 0);
        };
        await expect.poll(right, { message: `${name} at ${width} px` }).toBeLessThanOrEqual(width);
      }
    }
  });

  it('on a phone it is a map with the player below, and the list on a tab', async () => {
    const page = await open(addressOf(['4127', '4151'], at(15)));
    await page.setViewportSize({ width: 390, height: 844 });
    await readout(page, '4127').waitFor();
    const play = page.getByRole('button', { name: 'Play', exact: true });
    await expect.poll(async () => (await play.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    await page.getByRole('button', { name: 'Stops and events' }).click();
    await page.getByRole('tab', { name: /^Trips/ }).click();
    await page.getByRole('tabpanel').getByRole('listitem').first().waitFor();
    await expectAccessible(page);
  });

  it('becomes an evidence pack, which the page for checking files finds unchanged', async () => {
    const page = await open(addressOf(['4127', '4151'], '&pack=1'));
    const dialog = page.getByRole('dialog', { name: 'Evidence pack' });
    await dialog.getByText('4127, 4151').waitFor();
    await dialog.getByRole('button', { name: 'Create evidence pack' }).click();
    const saved = page.waitForEvent('download');
    await dialog.getByRole('button', { name: /^Download PDF/ }).click();
    const kept = (await dialog.locator('code').textContent()) ?? '';
    await expectAccessible(page);
    const download = await saved;
    await page.goto('/verify-log.html');
    await page.getByLabel('Daily roots or SHA-256 you have kept, if any').fill(kept);
    await page.getByLabel('File').setInputFiles(await download.path());
    await page.getByRole('heading', { name: /is complete and unchanged$/ }).waitFor();
    await page.getByText(kept).last().waitFor();
  });
});
