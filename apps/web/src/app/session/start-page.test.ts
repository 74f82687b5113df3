import { ROLES, START_PAGES } from '@milepost/contract';
import { describe, expect, it } from 'vitest';
import { startPage } from './start-page.ts';

type Me = NonNullable<Parameters<typeof startPage>[0]>;
const EVERYWHERE = START_PAGES.map(path => ({ path }));
const somebody = (role: Me['role'], chosen: Me['preferences']['startPage'] = null): Me => ({
  role,
  preferences: { startPage: chosen } as Me['preferences'],
});

describe('where somebody begins', () => {
  it.each(ROLES)('%s who has chosen nothing', role => {
    expect(startPage(somebody(role), EVERYWHERE)).toBe(role === 'driver' ? '/personal' : '/');
  });

  it('the page that was chosen, a driver’s map too', () => {
    expect(startPage(somebody('dispatcher', '/fleet'), EVERYWHERE)).toBe('/fleet');
    expect(startPage(somebody('driver', '/'), EVERYWHERE)).toBe('/');
  });

  it('not a page that one may no longer open', () => {
    expect(startPage(somebody('viewer', '/overview'), [{ path: '/' }])).toBe('/');
    expect(startPage(somebody('driver', '/overview'), [{ path: '/' }])).toBe('/personal');
  });

  it('the map where nobody is known', () => {
    expect(startPage(null, EVERYWHERE)).toBe('/');
  });
});
