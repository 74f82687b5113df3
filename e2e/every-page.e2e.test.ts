import { readFileSync } from 'node:fs';
import { createHttpClient } from '@milepost/client';
import { createDriver, createShare, listVehicles, registerUser, signIn } from '@milepost/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SECTION_IDS as PROFILE_SECTIONS } from '../apps/web/src/features/profile/sections.ts';
import { SECTION_IDS as SETTINGS_SECTIONS } from '../apps/web/src/features/settings/section-list.ts';
import { launchBrowser, violationsOf, visit } from './support/browser.ts';
import { driveThem, startWithVehicles } from './support/dashboard.ts';
import { troublesOfTabbing } from './support/keyboard.ts';
import { type Milepost, OWNER } from './support/milepost.ts';

/**
 * Every page of the app, at four widths, in light and dark, by axe and by Tab. Each is loaded once, then made narrower and
 * repainted in place. What opens on a page, dialogs and drawers, is looked at where it is used.
 */

const WIDTHS = [1920, 1440, 768, 390];
const BY_KEYBOARD = [1440, 390];
const NEWCOMER = { userName: 'g.kline', password: 'interstate 81 northbound' };

interface Stop {
  readonly path: string;
  /** What is there once the page is. */
  readonly shows: string | RegExp;
  /** The owner, unless it is a guest, or somebody who has to choose a password first. */
  readonly who?: 'guest' | 'newcomer';
}

const sectionsOf = (page: string, sections: readonly string[]): Stop[] =>
  sections.map(section => ({ path: `/${page}/${section}`, shows: /./ }));

/** By the name of the route in `paths.ts`. */
const PAGES: Readonly<Record<string, readonly Stop[]>> = {
  dashboard: [{ path: '/', shows: '4127' }],
  fleet: [{ path: '/fleet', shows: '4127' }],
  alerts: [{ path: '/alerts', shows: 'Alerts' }],
  overview: [{ path: '/overview', shows: '3 vehicles now' }],
  assets: [{ path: '/assets', shows: '4127' }],
  personal: [{ path: '/personal', shows: 'Dana Whitlock' }],
  shareLinks: [{ path: '/share-links', shows: 'Load 8841' }],
  users: [{ path: '/users', shows: 'Gus Kline' }],
  settings: sectionsOf('settings', SETTINGS_SECTIONS),
  profile: sectionsOf('profile', PROFILE_SECTIONS),
  welcome: [{ path: '/welcome', shows: 'Your password was set by somebody else.', who: 'newcomer' }],
  login: [
    { path: '/login', shows: 'All services are running', who: 'guest' },
    { path: '/login?recover=1', shows: 'Step 1 of 3', who: 'guest' },
    { path: '/login#invitation=none', shows: 'This invitation is over', who: 'guest' },
    { path: '/login#email=none', shows: 'Confirm the address', who: 'guest' },
  ],
  demo: [{ path: '/demo', shows: /./, who: 'guest' }],
  shared: [{ path: '/s', shows: 'Load 8841', who: 'guest' }],
  '*': [
    { path: '/no/such/page', shows: 'Go to Dashboard' },
    { path: '/no/such/page', shows: /./, who: 'guest' },
  ],
};

let browser: Browser;
let milepost: Milepost;
const tokens = { owner: '', newcomer: '' };
let sharedHash = '';

beforeAll(async () => {
  [browser, milepost] = await Promise.all([launchBrowser(), startWithVehicles()]);
  await driveThem(milepost);
  const { call } = createHttpClient({ baseUrl: milepost.url, getToken: () => tokens.owner || null });
  const tokenOf = async (userName: string, password: string) =>
    (await call(signIn, { body: { userName, password } })).token;
  tokens.owner = await tokenOf(OWNER.name, OWNER.password);
  await call(registerUser, { body: { ...NEWCOMER, displayName: 'Gus Kline', role: 'viewer' } });
  await call(createDriver, { body: { name: 'Dana Whitlock', phone: '+1 555 010 4477' } });
  const [vehicle] = await call(listVehicles);
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const share = { deviceIds: [vehicle?.id ?? ''], name: 'Load 8841', expiresAt, showTrail: true, showSpeed: true };
  sharedHash = new URL((await call(createShare, { body: share })).url).hash;
  tokens.newcomer = await tokenOf(NEWCOMER.userName, NEWCOMER.password);
});
afterAll(() => Promise.all([browser?.close(), milepost?.close()]));

it('names every route of the app', () => {
  const routes = readFileSync(new URL('../apps/web/src/routes.tsx', import.meta.url), 'utf8');
  const found = [...routes.matchAll(/path=(?:\{paths\.(\w+)\(|"(\*)")/g)].map(([, name, rest]) => name ?? rest);
  expect(Object.keys(PAGES).toSorted()).toEqual([...new Set(found)].toSorted());
});

async function open({ path, shows, who }: Stop): Promise<Page> {
  const { page } = await visit(browser, milepost.url, { colorScheme: 'light', viewport: { width: 1920, height: 900 } });
  if (who !== 'guest') {
    await page.addInitScript(
      token => {
        localStorage.setItem('token', token);
        sessionStorage.setItem('loginNotified', '1');
      },
      tokens[who ?? 'owner'],
    );
  }
  await page.goto(path === '/s' ? path + sharedHash : path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.getByText(shows).filter({ visible: true }).first().waitFor();
  await quiet(page);
  return page;
}

/** The page once it has found its place in the new width, and what it fetches for that is there. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await quiet(page);
}

/** Nothing of the page changes for a moment. */
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

const stops = Object.values(PAGES).flat();

it.each(stops.map(stop => [`${stop.path}${stop.who ? ` for a ${stop.who}` : ''}`, stop] as const))(
  '%s: axe finds nothing, nothing is wider than the page, Tab goes all the way round',
  async (_, stop) => {
    const page = await open(stop);
    const found: string[] = [];
    const note = (where: string, troubles: readonly string[]) =>
      found.push(...troubles.map(text => `${where} ${text}`));
    for (const width of WIDTHS) {
      await resize(page, width);
      note(`${width}`, await violationsOf(page));
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth))
        note(`${width}`, ['is too wide']);
      if (BY_KEYBOARD.includes(width)) note(`${width}`, await troublesOfTabbing(page));
    }
    // The same page in other colours, on the way back.
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset.colorScheme)).toBe('dark');
    for (const width of WIDTHS.toReversed()) {
      await resize(page, width);
      note(`${width} dark`, await violationsOf(page, 'contrast'));
    }
    expect(found).toEqual([]);
  },
  300_000,
);
