import { expect, it } from 'vitest';
import { navigationUrl } from './navigation-url.ts';

it.each([
  ['Mozilla/5.0 (Linux; Android 15; Pixel 9)', 'geo:41.87810,-87.62980?q=41.87810,-87.62980(Truck%207)'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)', 'https://maps.apple.com/?daddr=41.87810,-87.62980'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'https://www.google.com/maps/dir/?api=1&destination=41.87810%2C-87.62980'],
])('a device opens a place in what it navigates with: %s', (userAgent, url) => {
  expect(navigationUrl({ lat: 41.8781, lon: -87.6298 }, 'Truck 7', userAgent)).toBe(url);
});
