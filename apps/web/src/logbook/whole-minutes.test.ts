import fc from 'fast-check';
import { expect, it } from 'vitest';
import { wholeMinutes } from './whole-minutes.ts';

const sum = (totals: Readonly<Record<string, number>>) => Object.values(totals).reduce((all, one) => all + one, 0);

it('[R2.14] the totals of a day add up to 24 hours, also where each would lose its seconds', () => {
  const day = { OFF: 0, SB: 21 * 3600 + 37 * 60 + 29, D: 2 * 3600 + 2 * 60 + 11, ON: 20 * 60 + 20 };
  expect(sum(day)).toBe(86_400);
  expect(wholeMinutes(day)).toEqual({ OFF: 0, SB: 77_880, D: 7320, ON: 1200 });
});

it('never shows a line a minute off, nor time on a line without any', () => {
  const seconds = fc.integer({ min: 0, max: 86_400 });
  fc.assert(
    fc.property(fc.record({ OFF: seconds, SB: seconds, D: seconds, ON: seconds }), totals => {
      const shown = wholeMinutes(totals);
      expect(sum(shown)).toBe(Math.floor(sum(totals) / 60) * 60);
      for (const line of ['OFF', 'SB', 'D', 'ON'] as const) {
        expect(Math.abs(shown[line] - totals[line])).toBeLessThan(60);
        if (totals[line] === 0) expect(shown[line]).toBe(0);
      }
    }),
  );
});
