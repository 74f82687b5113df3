import { createHttpClient } from '@milepost/client';
import {
  changePassword,
  createDriver,
  createGeofence,
  createRule,
  createShare,
  listVehicles,
  readMyUsers,
  registerUser,
  signIn,
  updateLogSettings,
} from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inColors, launchBrowser, leaveStreetsOut, violationsOf, visit, withWholeMap } from './browser.ts';
import { driveThem, startWithVehicles } from './dashboard.ts';
import { troublesOfTabbing } from './keyboard.ts';
import { type Milepost, OWNER } from './milepost.ts';
import { samePage } from './same-page.ts';
import { storeToken } from './session.ts';

const WIDTHS = [1920, 1440, 768, 390];
/**
 * Each page is opened once, then made narrower, switched to dark, and made wider again. Axe and Tab check the narrowest
 * width in light and a common one in dark; together these cover every layout and both sets of colors.
 */
const LOOKS = [
  ...WIDTHS.map(width => ({ width, colours: 'light' as const, isWalked: width === 390 })),
  ...WIDTHS.toReversed().map(width => ({ width, colours: 'dark' as const, isWalked: width === 1440 })),
];
const NEW_USER = { userName: 'g.kline', password: 'interstate 81 northbound' };
const DRIVER = { userName: 'd.whitlock', password: 'two coffees and a map' };

export interface Stop {
  readonly path: string;
  /** A text that is visible once the page is loaded. */
  readonly shows: string | RegExp;
  /** The owner by default; a guest, a user who must choose a password first, or a driver who keeps a log. */
  readonly who?: 'guest' | 'newcomer' | 'driver';
  /** With streets and towns, whose credits are links; the maps of other pages are a grid, which costs less to draw. */
  readonly isMapWhole?: boolean;
}

/** A test for each of these pages: at four widths, in light and dark, two of them with axe and Tab. */
export function testPages(stops: readonly Stop[]): void {
  let browser: Browser;
  let milepost: Milepost;
  const tokens = { owner: '', newcomer: '', driver: '' };
  let sharedHash = '';

  leaveStreetsOut();
  beforeAll(async () => {
    [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
    await driveThem(milepost);
    const callAs = (who: keyof typeof tokens) =>
      createHttpClient({ baseUrl: milepost.url, getToken: () => tokens[who] || null }).call;
    const call = callAs('owner');
    const tokenOf = async (userName: string, password: string) =>
      (await call(signIn, { body: { userName, password } })).token;
    tokens.owner = await tokenOf(OWNER.name, OWNER.password);
    await call(registerUser, { body: { ...NEW_USER, displayName: 'Gus Kline', role: 'viewer' } });
    await call(registerUser, { body: { ...DRIVER, displayName: 'Dana Whitlock', role: 'driver' } });
    const userId = (await call(readMyUsers)).find(({ userName }) => userName === DRIVER.userName)?.id ?? null;
    const dana = await call(createDriver, { body: { name: 'Dana Whitlock', phone: '+1 555 010 4477', userId } });
    await call(updateLogSettings, { params: { driverId: dana.id }, body: { keepsLog: true } });
    tokens.driver = await tokenOf(DRIVER.userName, DRIVER.password);
    const passwords = { oldPassword: DRIVER.password, newPassword: `${DRIVER.password}, please` };
    tokens.driver = (await callAs('driver')(changePassword, { body: { ...passwords, endOtherSessions: false } })).token;
    const shape = { kind: 'circle' as const, center: [-87.68, 41.9] as [number, number], radiusM: 300 };
    await call(createGeofence, { body: { name: 'Depot North', shape } });
    await call(createRule, { body: { name: 'Long stop', trigger: { kind: 'stay', minutes: 45 }, isOn: true } });
    const [vehicle] = await call(listVehicles);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const share = { deviceIds: [vehicle?.id ?? ''], name: 'Load 8841', expiresAt, showTrail: true, showSpeed: true };
    sharedHash = new URL((await call(createShare, { body: share })).url).hash;
    tokens.newcomer = await tokenOf(NEW_USER.userName, NEW_USER.password);
  });
  afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

  // Each goes from page to page as links do: loading each anew would prove nothing more.
  const openAs = (who: keyof typeof tokens | 'guest') =>
    samePage(
      () => ({ browser, milepost }),
      { viewport: { width: 1920, height: 900 } },
      async () => (who === 'guest' ? null : tokens[who]),
    );
  const pages = {
    owner: openAs('owner'),
    newcomer: openAs('newcomer'),
    driver: openAs('driver'),
    guest: openAs('guest'),
  };

  /** The owner's, with a whole map. */
  async function load(path: string): Promise<Page> {
    const { page } = await visit(browser, milepost.url, { viewport: { width: 1920, height: 900 } });
    await storeToken(page, tokens.owner);
    await page.goto(path);
    return page;
  }

  async function open({ isMapWhole, path, shows, who }: Stop): Promise<Page> {
    const page = isMapWhole
      ? await withWholeMap(() => load(path))
      : (await pages[who ?? 'owner'](path === '/s' ? path + sharedHash : path)).page;
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await page.getByText(shows).filter({ visible: true }).first().waitFor();
    return page;
  }

  it.each(stops.map(stop => [`${stop.path}${stop.who ? ` for a ${stop.who}` : ''}`, stop] as const))(
    '%s: axe finds nothing, nothing is wider than the page, Tab goes all the way round',
    async (_, stop) => {
      const page = await open(stop);
      const found: string[] = [];
      for (const { width, colours, isWalked } of LOOKS) {
        await look(page, width, colours);
        const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        const troubles = [
          ...(isTooWide ? ['is too wide'] : []),
          ...(isWalked ? [...(await violationsOf(page)), ...(await troublesOfTabbing(page))] : []),
        ];
        found.push(...troubles.map(text => `${width} ${colours} ${text}`));
      }
      expect(found).toEqual([]);
    },
    300_000,
  );
}

/** Waits until the page has adapted to this width and these colors and has loaded what it needs for that. */
async function look(page: Page, width: number, colours: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await inColors(page, colours);
  await quiet(page);
}

/** Resolves after the page hasn't changed for a moment. */
const quiet = (page: Page): Promise<unknown> =>
  page.evaluate(
    () =>
      new Promise<void>(done => {
        const still = () => {
          observer.disconnect();
          done();
        };
        let timer = setTimeout(still, 100);
        const observer = new MutationObserver(() => {
          clearTimeout(timer);
          timer = setTimeout(still, 100);
        });
        observer.observe(document.body, { childList: true, subtree: true });
      }),
  );
