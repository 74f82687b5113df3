import { describe, expect, it } from 'vitest';
import { linkToken, paths, returnPath } from './paths.ts';

it('every address of the app', () => {
  expect({
    dashboard: paths.dashboard(),
    'vehicles on the map': paths.vehiclesOnMap(['356307042441013', '356938035643809']),
    overview: paths.overview(),
    reports: paths.reports(),
    'a report': paths.reports('trips', 'from=2026-11-01&to=2026-11-07'),
    replay: paths.replay(),
    'the past of two vehicles': paths.replay({
      vehicles: ['12', '15'],
      fromMs: Date.UTC(2026, 10, 19, 6),
      toMs: Date.UTC(2026, 10, 19, 15),
      atMs: Date.UTC(2026, 10, 19, 10, 42, 5),
      speed: 300,
    }),
    geofence: paths.geofence(),
    rules: paths.rules(),
    'a new rule': paths.newRuleFor('12'),
    assets: paths.assets(),
    personal: paths.personal(),
    'a vehicle on the map': paths.vehicleOnMap('356307042441013'),
    users: paths.users(),
    'share links': paths.shareLinks(),
    profile: paths.profile(),
    'a section of the profile': paths.profile('security'),
    welcome: paths.welcome(),
    'welcome, then on to the users': paths.welcome('/users'),
    setup: paths.setup(),
    login: paths.login(),
    'login, then back to a vehicle': paths.login('/?vehicle=4127#map'),
    recovery: paths.recovery(),
    'recovery, then on to a vehicle': paths.recovery('/?vehicle=4127'),
  }).toEqual({
    dashboard: '/',
    'vehicles on the map': '/?selected=356307042441013,356938035643809',
    overview: '/overview',
    reports: '/reports',
    'a report': '/reports/trips?from=2026-11-01&to=2026-11-07',
    replay: '/replay',
    'the past of two vehicles':
      '/replay?vehicles=12,15&from=2026-11-19T06:00:00Z&to=2026-11-19T15:00:00Z&at=2026-11-19T10:42:05Z&speed=300',
    geofence: '/geo-fence',
    rules: '/rules',
    'a new rule': '/rules?open=new&geofence=12',
    assets: '/assets',
    personal: '/personal',
    'a vehicle on the map': '/?vehicle=356307042441013',
    users: '/users',
    'share links': '/share-links',
    profile: '/profile',
    'a section of the profile': '/profile/security',
    welcome: '/welcome',
    'welcome, then on to the users': '/welcome?from=%2Fusers',
    setup: '/setup',
    login: '/login',
    'login, then back to a vehicle': '/login?from=%2F%3Fvehicle%3D4127%23map',
    recovery: '/login?recover=1',
    'recovery, then on to a vehicle': '/login?recover=1&from=%2F%3Fvehicle%3D4127',
  });
});

it('the token of a link is read from behind the #, where no server sees it', () => {
  expect(linkToken('#invitation=a-B_9', 'invitation')).toBe('a-B_9');
  expect(linkToken('#email=a-B_9', 'email')).toBe('a-B_9');
  for (const hash of ['', '#map', '#invitations=x', '#email=x']) expect(linkToken(hash, 'invitation')).toBeNull();
});

describe('[R2.18] the way back after signing in', () => {
  it.each(['/?vehicle=4127#map', '/nowhere', '/a/b?c=d&e=f'])('leads to %s', wanted => {
    expect(returnPath(new URL(paths.login(wanted), 'https://x').search)).toBe(wanted);
  });

  it.each([
    '',
    '?from=',
    '?from=dashboard',
    '?from=//evil.example/x',
    '?from=/%5Cevil.example',
    '?from=https://evil.example',
    '?from=javascript:alert(1)',
    '?from=/login?from=/login',
    '?from=/%2F%2Fevil.example',
  ])('never leaves the app and never loops: %s', search => {
    const path = returnPath(search);
    expect(new URL(path, 'https://app.example').origin).toBe('https://app.example');
    expect(path).not.toMatch(/^\/(login|\/)/);
  });
});
