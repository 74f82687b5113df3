import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ServerClock } from './server-clock.ts';

const SERVER = Date.parse('2026-11-19T19:00:00Z');

it('is the device’s own clock while that is right, whatever the way takes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 1 }), delays => {
      const quickest = Math.min(...delays);
      let now = SERVER;
      const clock = new ServerClock(() => now);
      for (const delay of delays) {
        now = SERVER + delay;
        clock.observe(SERVER);
      }
      expect(Math.abs(clock.now() - now)).toBeLessThanOrEqual(quickest < 2000 ? 0 : quickest);
    }),
  );
});

it.each([600_000, -600_000])('corrects a device whose clock is %d ms ahead, to within the quickest message', ahead => {
  let now = SERVER + ahead;
  const clock = new ServerClock(() => now);
  for (const delay of [900, 150, 2500]) {
    now = SERVER + ahead + delay;
    clock.observe(SERVER);
  }
  now = SERVER + ahead;
  expect(Math.abs(clock.now() - SERVER)).toBeLessThanOrEqual(150);
});
