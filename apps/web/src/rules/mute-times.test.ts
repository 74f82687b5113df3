import { expect, it } from 'vitest';
import { muteFor, nextMorning } from './mute-times.ts';

it('lasts an hour, until the next 7:00 of the reader, or until someone ends it', () => {
  const at = (hour: number, day = 20): number => new Date(2026, 10, day, hour).getTime();
  expect(nextMorning(at(3))).toBe(at(7));
  expect(nextMorning(at(7))).toBe(at(7, 21));
  expect(nextMorning(at(22))).toBe(at(7, 21));
  expect(muteFor('hour', at(22))).toEqual({ until: new Date(at(23)).toISOString() });
  expect(muteFor('morning', at(22))).toEqual({ until: new Date(at(7, 21)).toISOString() });
  expect(muteFor('open', at(22))).toEqual({ until: null });
});
