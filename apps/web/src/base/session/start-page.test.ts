import { NO_PREFERENCES, ROLES, START_PAGES } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { startPage } from './start-page.ts';

type Me = NonNullable<Parameters<typeof startPage>[0]>;
const EVERYWHERE = START_PAGES.map(path => ({ path }));
const someone = (role: Me['role'], chosen: Me['preferences']['startPage'] = null): Me => ({
  role,
  preferences: { startPage: chosen } as Me['preferences'],
});

describe('where someone begins', () => {
  it.each(ROLES)('%s who has chosen nothing', role => {
    expect(startPage(someone(role), EVERYWHERE)).toBe(role === 'driver' ? '/personal' : '/');
  });

  it('the page that was chosen, a driver’s map too', () => {
    expect(startPage(someone('dispatcher', '/fleet'), EVERYWHERE)).toBe('/fleet');
    expect(startPage(someone('driver', '/'), EVERYWHERE)).toBe('/');
  });

  it('not a page that one may no longer open', () => {
    expect(startPage(someone('viewer', '/overview'), [{ path: '/' }])).toBe('/');
    expect(startPage(someone('driver', '/overview'), [{ path: '/' }])).toBe('/personal');
  });

  it('the map where nobody is known', () => {
    expect(startPage(null, EVERYWHERE)).toBe('/');
  });

  it('the set-up of a new installation, until something of it is answered or skipped', () => {
    const owner = (setupDone: Me['preferences']['setupDone'], setupSkipped: Me['preferences']['setupSkipped']): Me => ({
      role: 'owner',
      preferences: { ...NO_PREFERENCES, setupDone, setupSkipped },
    });
    expect(startPage(owner([], []), EVERYWHERE)).toBe('/setup');
    expect(startPage(owner([], ['company']), EVERYWHERE)).toBe('/');
    expect(startPage(owner(null, null), EVERYWHERE)).toBe('/');
  });
});
