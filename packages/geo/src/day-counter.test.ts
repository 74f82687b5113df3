import { epochMs } from '@milepost/units';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type DayCount, DayCounter } from './day-counter.ts';
import { daySegments } from './day-segments.ts';
import { driveArbitrary, fixAt, START } from './testing/drive.ts';

const at = (atS: number) => epochMs(START + atS * 1000);
const throughJson = (count: DayCount): DayCount => JSON.parse(JSON.stringify(count));

it('[I6] stored as JSON after any fix and continued, it gives exactly the figures of all fixes at once', () => {
  const window = fc.tuple(fc.integer({ min: -500, max: 5000 }), fc.integer({ min: 1, max: 100_000 }));
  fc.assert(
    fc.property(driveArbitrary, window, fc.infiniteStream(fc.boolean()), (drive, [fromS, lengthS], coins) => {
      const [from, to] = [at(fromS), at(fromS + lengthS)];
      let counter = new DayCounter(from, to);
      for (const [i, fix] of drive.entries()) {
        counter.add(fix);
        if (coins.next().value) counter = new DayCounter(from, to, { count: throughJson(counter.count()) });
        const until = epochMs(Math.min(fix.time + 1, to));
        if (until <= from) continue;
        // Fixes after the end tell both how the period ended.
        expect(counter.figures(epochMs(Math.max(until, from)))).toEqual(
          daySegments(drive.slice(0, i + 1), from, until),
        );
      }
      expect(counter.figures()).toEqual(daySegments(drive, from, to));
    }),
  );
});

it('stores little for a long day', () => {
  const counter = new DayCounter(at(0), at(86_400));
  for (let s = 0; s < 86_400; s += 5) {
    const driving = s % 14_400 < 7200;
    const drivenS = Math.floor(s / 14_400) * 7200 + Math.min(s % 14_400, 7200);
    counter.add(fixAt(s, driving ? 60 : 0, { eastM: drivenS * 16, ignition: driving }));
  }
  expect(counter.figures().fixes).toBe(17_280);
  expect(JSON.stringify(counter.count()).length).toBeLessThan(4000);
});
