import { expect, it } from 'vitest';
import { isPageRequest } from './requests.ts';

it.each([
  ['/', true],
  ['/login', true],
  ['/nowhere/at/all', true],
  ['/api/v1/read_me', false],
  ['/docs', false],
  ['/s', false],
  ['/settings', true],
  ['/openapi.json', false],
  ['/map/cities.pmtiles', false],
  ['/sw.js', false],
])('opening %s shows the app: %s', (path, expected) => {
  expect(isPageRequest('navigate', path)).toBe(expected);
});

it('a script or a picture is never answered with the page', () => {
  expect(isPageRequest('no-cors', '/login')).toBe(false);
});
