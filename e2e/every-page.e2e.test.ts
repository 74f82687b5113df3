import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { troublesOfTabbing } from './support/keyboard.ts';
import { type Stop, testPages } from './support/page-tests.ts';

/** Every page of the app except the sections. Dialogs and drawers are tested where they are used. */

/** By the route's name in `paths.ts`. */
const PAGES: Readonly<Record<string, readonly Stop[]>> = {
  dashboard: [{ path: '/', shows: '4127', isMapWhole: true }],
  fleet: [{ path: '/fleet', shows: '4127' }],
  alerts: [{ path: '/alerts', shows: 'Alerts' }],
  dispatch: [{ path: '/dispatch', shows: 'No tasks yet' }],
  overview: [{ path: '/overview', shows: '3 vehicles now' }],
  reports: [{ path: '/reports', shows: 'Daily summary' }],
  replay: [
    { path: '/replay', shows: 'Choose vehicles to replay' },
    { path: '/replay?vehicles=1,2,3', shows: 'Engine, 4127' },
  ],
  geofence: [
    { path: '/geo-fence', shows: 'Depot North' },
    { path: '/geo-fence?open=1', shows: 'At the edge' },
  ],
  rules: [
    { path: '/rules', shows: 'Long stop' },
    { path: '/rules?open=1', shows: 'Try it on the past' },
  ],
  assets: [{ path: '/assets', shows: '4127' }],
  personal: [{ path: '/personal', shows: 'Dana Whitlock' }],
  myPrivacy: [
    { path: '/personal/privacy', shows: 'Who can see me now', who: 'driver' },
    { path: '/personal/privacy?driver=1', shows: 'That you read this' },
  ],
  eld: [
    { path: '/eld', shows: 'Desk' },
    { path: '/eld', shows: 'Sign in to a vehicle', who: 'driver' },
  ],
  eldOwn: [{ path: '/eld/own', shows: 'Sign in to a vehicle', who: 'driver' }],
  eldDrivers: [{ path: '/eld/drivers', shows: 'Dana Whitlock' }],
  eldPerformance: [{ path: '/eld/performance', shows: 'Performance' }],
  myPerformance: [{ path: '/eld/performance', shows: 'Your performance', who: 'driver' }],
  eldLog: [{ path: '/eld/drivers/1', shows: 'Desk' }],
  shareLinks: [{ path: '/share-links', shows: 'Load 8841' }],
  users: [{ path: '/users', shows: 'Gus Kline' }],
  welcome: [{ path: '/welcome', shows: 'Someone else set your password.', who: 'newcomer' }],
  setup: [{ path: '/setup', shows: 'Your company' }],
  login: [
    { path: '/login', shows: 'All services are running', who: 'guest' },
    { path: '/login?recover=1', shows: 'Step 1 of 3', who: 'guest' },
    { path: '/login#invitation=none', shows: 'This invitation is no longer valid', who: 'guest' },
    { path: '/login#email=none', shows: 'Confirm the address', who: 'guest' },
  ],
  signOn: [{ path: '/sign-on', shows: 'Single sign-on', who: 'guest' }],
  demo: [{ path: '/demo', shows: /./, who: 'guest' }],
  shared: [{ path: '/s', shows: 'Load 8841', who: 'guest' }],
  '*': [
    { path: '/no/such/page', shows: 'Go to Dashboard' },
    { path: '/no/such/page', shows: /./, who: 'guest' },
  ],
};

/** Tested by `every-section`. */
const ELSEWHERE = ['settings', 'profile'];

it('covers every route of the app', () => {
  const routes = readFileSync(new URL('../apps/web/src/routes.tsx', import.meta.url), 'utf8');
  const found = [...routes.matchAll(/path=(?:\{paths\.(\w+)\(|"(\*)")/g)].map(([, name, rest]) => name ?? rest);
  expect([...Object.keys(PAGES), ...ELSEWHERE].toSorted()).toEqual([...new Set(found)].toSorted());
});

it('a walk with Tab finds what shows no focus, what is covered, and what traps the focus', async () => {
  const page = await (await launchBrowser()).newPage();
  const buttons = '<button>Fine</button>'.repeat(30);
  const troublesOf = async (more: string) => {
    await page.setContent(buttons + more);
    return troublesOfTabbing(page, 80);
  };
  expect(await troublesOf('')).toEqual([]);
  expect(await troublesOf('<style>.plain { outline: none }</style><button class="plain">Bare</button>')).toEqual([
    '<button> Bare: shows no focus',
  ]);
  const cover = '<div style="position: absolute; inset: 0; background: gray"></div>';
  expect(await troublesOf(`<div style="position: relative"><button>Covered</button>${cover}</div>`)).toEqual([
    '<button> Covered: is not in view',
  ]);
  const trap = 'event.preventDefault(); this.firstChild.focus()';
  expect(await troublesOf(`<div onkeydown="${trap}"><button>Trap</button></div>`)).toEqual(['Tab never comes round']);
  await page.close();
});

testPages(Object.values(PAGES).flat());
