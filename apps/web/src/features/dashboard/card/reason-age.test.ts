import { vehicleStatus } from '@milepost/geo';
import { epochMs, seconds } from '@milepost/units';
import { expect, it } from 'vitest';
import { reasonAge } from './reason-age.ts';

const MINUTE = 60_000;
const NOW = epochMs(Date.UTC(2026, 10, 21, 14));
const ago = (minutes: number) => epochMs(NOW - minutes * MINUTE);

it.each([
  ['silent', { heardAt: ago(11), fixAt: ago(11) }, 'outdated', 11],
  ['heard, with an old fix', { heardAt: ago(0), fixAt: ago(45) }, 'outdated', 45],
  ['silent for a day', { heardAt: ago(1441), fixAt: ago(2000) }, 'offline', 1441],
] as const)('what made a status grows older while it lasts: %s', (_, times, rule, minutes) => {
  const live = { motion: 'moving', since: ago(3000), gpsValid: true, interval: seconds(10), ...times } as const;
  const { reason } = vehicleStatus(live, NOW);
  expect(reason.rule).toBe(rule);
  expect(reasonAge(reason, NOW)).toBe(minutes * MINUTE);
  expect(reasonAge(reason, NOW + 60 * MINUTE)).toBe((minutes + 60) * MINUTE);
});
