import { expect, it } from 'vitest';
import { deviceName, deviceOf } from './user-agent.ts';

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36',
    'Windows, Chrome',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36 Edg/146.0.0.0',
    'Windows, Edge',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1',
    'iPhone, Safari',
  ],
  ['Mozilla/5.0 (Android 16; Mobile; rv:147.0) Gecko/147.0 Firefox/147.0', 'Android, Firefox'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Mac, Safari',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:147.0) Gecko/20100101 Firefox/147.0', 'Linux, Firefox'],
  ['curl/8.5.0', ''],
])('%s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

it('tells phones and tablets from what stands on a desk', () => {
  expect(deviceOf('Mozilla/5.0 (Android 16; Mobile)').mobile).toBe(true);
  expect(deviceOf('Mozilla/5.0 (Windows NT 10.0)').mobile).toBe(false);
});
