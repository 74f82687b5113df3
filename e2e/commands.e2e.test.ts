import type { PositionMessage } from '@milepost/decoders';
import { metresPerSecond } from '@milepost/units';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Link } from '../apps/simulator/src/tracker/link.ts';
import { teltonikaOverTcp } from '../apps/simulator/src/tracker/teltonika.ts';
import { expectAccessible, launchBrowser, leaveMapsOut } from './support/browser.ts';
import { isFocused } from './support/fields.ts';
import { type Milepost, OWNER, startMilepost } from './support/milepost.ts';
import { visitSignedIn } from './support/session.ts';
import { addVehicles, fix, LOOP, report } from './support/tracker.ts';

leaveMapsOut();

/** A dispatcher's day: find a vehicle, follow it, send commands, and see the results. */
const MOVING = { imei: '356307042441013', deviceName: '4127' } as const;
const ASLEEP = { imei: '356307042441021', deviceName: '4118' } as const;
const REFUSING = { imei: '356307042441039', deviceName: '4133' } as const;
const SILENT = { imei: '356307042441047', deviceName: '4140' } as const;
const CONTROL_PASSWORD = 'red lever 7';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const PARKED = { speed: metresPerSecond(0), ignition: false } as const;

let browser: Browser;
let milepost: Milepost;
const links: Link[] = [];

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startMilepost({ gateways: new Map([['teltonika', 0]]) })]);
  await addVehicles(milepost, [MOVING, ASLEEP, REFUSING, SILENT]);
  await report(milepost, ASLEEP.imei, here(PARKED));
  await dial(REFUSING.imei, 'refuses', here(PARKED));
  await dial(SILENT.imei, 'silent', here(PARKED));
});
afterAll(() => {
  for (const link of links) link.close();
  return Promise.all([browser?.close(), milepost?.close()]);
});

const here = (rest: Partial<PositionMessage> = {}): PositionMessage => fix(Date.now() - 1000, LOOP, rest);

/** A connected tracker that obeys or refuses commands, or stays silent. */
async function dial(imei: string, manner: 'obeys' | 'refuses' | 'silent', position: PositionMessage): Promise<Link> {
  const port = milepost.app.trackerPorts.get('teltonika') ?? 0;
  const link = await teltonikaOverTcp(
    '127.0.0.1',
    port,
    imei,
  )(order => {
    if (manner !== 'silent') order.answer(manner === 'obeys', position);
  });
  links.push(link);
  await link.send([position]);
  return link;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Send command' });
const outcome = (page: Page) => dialog(page).getByRole('region', { name: 'Outcome' });
const told = (page: Page) => page.getByRole('log').locator('p').filter({ hasText: /: / }).last();

/** Chooses a command by its name in the search that has the focus. */
async function choose(page: Page, name: string): Promise<void> {
  const search = dialog(page).getByRole('combobox');
  await search.waitFor();
  await expect.poll(() => isFocused(search)).toBe(true);
  await page.keyboard.type(name);
  await dialog(page).getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
}

/** Presses Tab until the button has the focus, as a user without a mouse does. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const button = dialog(page).getByRole('button', { name });
  for (let presses = 0; presses < 30 && !(await isFocused(button)); presses++) await page.keyboard.press('Tab');
  expect(await isFocused(button)).toBe(true);
}

describe('a dispatcher’s day', () => {
  it('[R7.15] the control password is set in the settings, after entering one’s own password', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/settings/commands');
    await page.getByText('Not set. No control commands can be sent.').waitFor();
    await page.getByLabel('Your own password').fill('not mine');
    await page.getByRole('textbox', { name: 'New control password' }).fill(CONTROL_PASSWORD);
    await page.getByRole('textbox', { name: 'Repeat it' }).fill(CONTROL_PASSWORD);
    await page.getByRole('button', { name: 'Set control password' }).click();
    await page.getByText('Your current password is incorrect.').waitFor();
    await page.getByLabel('Your own password').fill(OWNER.password);
    await page.getByRole('button', { name: 'Set control password' }).click();
    await page.getByText(/^Set by .+, /).waitFor();
    await expectAccessible(page);
  });

  it('[R4.17] [R7.34] [R3.08] finds, follows, queries, configures and stops a vehicle with the keyboard alone', async () => {
    const link = await dial(MOVING.imei, 'obeys', here());
    // A small map, because it is rendered by the CPU.
    const viewport = { width: 1100, height: 700 };
    const { page, complaints } = await visitSignedIn(browser, milepost.url, { viewport });
    await page.goto('/settings');
    await page.getByRole('heading', { name: 'Organization', level: 1 }).waitFor();

    // Find a vehicle from a page that shows none, and follow it.
    await page.keyboard.press('/');
    await expect.poll(() => isFocused(page.getByRole('combobox', { name: 'Search' }))).toBe(true);
    await page.keyboard.type('follow 4127');
    await page.getByRole('option', { name: 'Follow 4127' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    const card = page.getByRole('complementary', { name: 'Vehicle 4127' });
    await expect.poll(() => card.getByRole('button', { name: 'Follow' }).getAttribute('aria-pressed')).toBe('true');

    // Ask for a position, and get an answer.
    await page.keyboard.press('c');
    await choose(page, 'Report position now');
    await tabTo(page, 'Send');
    await page.keyboard.press('Enter');
    await outcome(page).getByText('Device acknowledged').waitFor();
    await expect.poll(() => told(page).textContent()).toContain('4127, Report position now');
    await link.send([here()]);
    await expect.poll(() => told(page).textContent()).toContain('Effect seen');
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    // Change a setting: its error is shown beside the field and the input stays; Enter sends it.
    await page.keyboard.press('c');
    await choose(page, 'Reporting interval');
    const seconds = dialog(page).getByLabel('Seconds');
    await expect.poll(() => isFocused(seconds)).toBe(true);
    await page.keyboard.type('5');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Choose between 10 seconds and 24 hours.').waitFor();
    await expect.poll(() => seconds.inputValue()).toBe('5');
    await seconds.press('ControlOrMeta+a');
    await page.keyboard.type('60');
    await page.keyboard.press('Enter');
    await outcome(page).getByText('Device acknowledged').waitFor();
    await outcome(page).getByText('Waiting for the effect').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    // Send a control command: it is refused while the vehicle moves, but armed for the next safe stop.
    await page.keyboard.press('c');
    await choose(page, 'Stop engine');
    const how = dialog(page).getByRole('region', { name: 'Details' });
    await how.getByText('Not available: vehicle is moving.').waitFor();
    await expect.poll(() => how.getByRole('radio', { name: 'Immediately' }).isDisabled()).toBe(true);
    await expect.poll(() => how.getByRole('radio', { name: 'At the next safe stop' }).isChecked()).toBe(true);
    await how.getByText('27\u202fmph').waitFor();
    await expectAccessible(page);
    await how.getByLabel('Reason').focus();
    await page.keyboard.type('Reported stolen');
    await page.keyboard.press('Tab');
    await page.keyboard.type('a wrong one');
    // Enter never triggers the red button.
    await page.keyboard.press('Enter');
    await tabTo(page, 'Arm');
    expect(await how.getByRole('alert').count()).toBe(0);
    await page.keyboard.press('Enter');
    await how.getByText('Control password is incorrect. 4 attempts left').waitFor();
    await expect.poll(() => how.getByLabel('Reason').inputValue()).toBe('Reported stolen');
    const password = how.getByRole('textbox', { name: 'Control password' });
    await expect.poll(() => isFocused(password)).toBe(true);
    await password.press('ControlOrMeta+a');
    await page.keyboard.type(CONTROL_PASSWORD);
    await tabTo(page, 'Arm');
    await page.keyboard.press('Enter');
    await outcome(page).getByText('Waiting for a safe stop').waitFor();
    await outcome(page)
      .getByText(/^Expires at .+ without a safe stop\. Nothing is sent after that\.$/)
      .waitFor();

    // The vehicle stops, the checks pass, and the command is sent.
    await link.send([here(PARKED)]);
    await outcome(page).getByText('Device acknowledged').waitFor();
    await outcome(page).getByText('Waiting for the effect').waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });

    // The vehicle's card lists all commands.
    await card.getByRole('tab', { name: 'Commands' }).focus();
    await page.keyboard.press('Enter');
    const history = card.getByRole('list', { name: 'Commands' }).getByRole('listitem');
    await expect.poll(() => history.count()).toBe(3);
    await history.first().getByText('Reported stolen').waitFor();
    expect(complaints).toEqual([expect.stringContaining('400')]);
  });

  it('[R3.08] for a tracker that is asleep, one that refuses and one that is silent, the dialog says what happened', async () => {
    const { page } = await visitSignedIn(browser, milepost.url);
    await page.goto('/fleet');
    for (const { deviceName } of [ASLEEP, REFUSING, SILENT]) {
      await page.getByRole('checkbox', { name: new RegExp(deviceName) }).check();
    }
    await page.getByRole('toolbar').getByRole('button', { name: 'Command' }).click();
    await choose(page, 'Read status');
    await dialog(page).getByRole('button', { name: 'Send to 3 vehicles' }).click();
    const plate = ({ deviceName }: { deviceName: string }) => outcome(page).getByRole('button', { name: deviceName });

    await plate(ASLEEP).click();
    await outcome(page).getByText('Waiting for the tracker').waitFor();
    await outcome(page)
      .getByText(/if the tracker does not connect/)
      .waitFor();
    await plate(REFUSING).click();
    await outcome(page).getByText('Device refused').waitFor();
    await plate(SILENT).click();
    await outcome(page).getByText('Waiting for the device’s answer').waitFor();
    expect(await outcome(page).getByText('Device acknowledged').count()).toBe(0);
    await expectAccessible(page);

    // The server sent it: the result is still found after the dialog was closed.
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.goto('/fleet');
    await page.getByRole('checkbox', { name: new RegExp(SILENT.deviceName) }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Command' }).click();
    await dialog(page)
      .getByRole('region', { name: 'Recent commands to several vehicles' })
      .getByRole('button', { name: /Read status.*3 of 3/ })
      .click();
    await plate(REFUSING).click();
    await outcome(page).getByText('Device refused').waitFor();

    // The sleeping tracker connects and gets its command, which can then no longer be canceled.
    await plate(ASLEEP).click();
    await dialog(page).getByRole('button', { name: 'Cancel command' }).waitFor();
    await dial(ASLEEP.imei, 'obeys', here(PARKED));
    await outcome(page).getByText('Device acknowledged').waitFor();
    await dialog(page).getByRole('button', { name: 'Cancel command' }).waitFor({ state: 'detached' });
  });

  it('on a phone it takes three steps, and a queued command can be canceled', async () => {
    const { page } = await visitSignedIn(browser, milepost.url, PHONE);
    await page.goto('/assets');
    for (const link of links.splice(0)) link.close();
    await page.getByRole('button', { name: 'Search', exact: true }).tap();
    await page.getByRole('combobox', { name: 'Search' }).fill('cmd 4140');
    await page.getByRole('option', { name: 'Send command to 4140' }).tap();
    // A different question, because the same one can't be sent twice within 10 seconds.
    await dialog(page).getByRole('option', { name: 'Read firmware version' }).tap();
    await dialog(page).getByRole('button', { name: 'Send' }).tap();
    await outcome(page).getByText('Waiting for the tracker').waitFor();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Cancel command' }).tap();
    await outcome(page).getByText('Canceled').waitFor();
  });
});
