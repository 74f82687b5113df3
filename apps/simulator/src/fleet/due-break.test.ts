import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readTours } from '../drive/tour-file.ts';
import { characters } from './character.ts';
import { dayNumberAt, planDay } from './day.ts';
import { ASKED_FOR_S, DRIVEN_S, withDueBreak } from './due-break.ts';

const tours = readTours();
const BREAK_S = 30 * 60;
const instants = fc.oneof(
  fc.integer({ min: Date.UTC(2026, 0, 1) / 1000, max: Date.UTC(2027, 0, 1) / 1000 }),
  // The hours around which clocks change in Chicago, and the night in UTC.
  fc.integer({ min: Date.UTC(2026, 2, 7, 20) / 1000, max: Date.UTC(2026, 2, 9, 6) / 1000 }),
  fc.integer({ min: Date.UTC(2026, 9, 31, 20) / 1000, max: Date.UTC(2026, 10, 2, 6) / 1000 }),
  fc.integer({ min: 0, max: 6 * 3600 }).map(second => Date.UTC(2026, 10, 26) / 1000 + second),
);

it('whenever the demo begins, one driver is on the road and needs a break in 25 minutes', () => {
  fc.assert(
    fc.property(instants, addedAt => {
      const [usual] = characters([{ imei: '350000000000017', name: '4101', card: null }], tours);
      if (!usual) throw new Error('One vehicle was asked for.');
      const character = withDueBreak(usual, addedAt);
      const { activities, from: start } = planDay(character, dayNumberAt(character, addedAt));
      // A shift can't begin in the second of two hours with the same name.
      fc.pre(new Date(start * 1000).toISOString().slice(0, 13) !== '2026-11-01T06');
      let driven = 0;
      let standing = 0;
      for (const { from, kind, to } of activities.filter(({ from }) => from < addedAt)) {
        const seconds = Math.min(to, addedAt) - from;
        standing = kind === 'driving' ? 0 : standing + seconds;
        driven =
          standing >= BREAK_S ? 0 : driven + (kind === 'driving' ? seconds + (addedAt < to ? 0 : ASKED_FOR_S) : 0);
      }
      const now = activities.find(({ from, to }) => from <= addedAt && to > addedAt);
      expect([now?.kind, Math.abs(driven - DRIVEN_S) < 120]).toEqual(['driving', true]);
      expect(character.week).toHaveLength(5);
    }),
    { numRuns: 60 },
  );
});
