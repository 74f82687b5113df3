import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineWriter } from './line-writer.ts';
import { Minutes } from './minutes.ts';
import { wallTime } from './wall-time.ts';

/** Half hours, three quarters, a change at midnight, and seconds before standard time. */
const ZONES = ['America/Chicago', 'America/St_Johns', 'Asia/Kathmandu', 'America/Havana', 'Europe/Amsterdam', 'UTC'];
const MINUTE = 60_000;

/** Around a moment at which clocks may change, or anywhere. */
const start = fc.oneof(
  fc.constantFrom('2026-11-01T05:00Z', '2026-03-08T07:00Z', '1937-06-30T23:00Z', '1970-01-01T00:00Z').map(Date.parse),
  fc.integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9998, 0, 1) }),
);

it('[R2.04] times are written as one by one, in every zone, forward and back', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      start,
      fc.array(fc.integer({ min: -20 * MINUTE, max: 90 * MINUTE }), { minLength: 1, maxLength: 40 }),
      (zone, startMs, steps) => {
        const line = new LineWriter(new Uint8Array(0));
        const minutes = new Minutes(zone, Buffer.from('Truck,'));
        let timeMs = startMs;
        const times = steps.map(step => (timeMs += Math.trunc(step / 7)));
        for (const time of times) {
          minutes.write(line, time);
          line.endLine();
        }
        const expected = times.map(time => `Truck,${wallTime(new Date(time).toISOString(), zone)}\r\n`);
        expect(Buffer.from(line.finish()).toString()).toBe(expected.join(''));
      },
    ),
    { numRuns: 400 },
  );
});
