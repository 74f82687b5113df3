import { expect, it } from 'vitest';
import { beyond } from './beyond.ts';

const HOUR = 3_600_000;
const day = { fromMs: 24 * HOUR, toMs: 48 * HOUR };

it('a task that is under way at midnight goes on, and came from the day before', () => {
  expect(beyond({ fromMs: 46 * HOUR, toMs: 50 * HOUR }, day)).toEqual({ sinceMs: null, untilMs: 50 * HOUR });
  expect(beyond({ fromMs: 22 * HOUR, toMs: 26 * HOUR }, day)).toEqual({ sinceMs: 22 * HOUR, untilMs: null });
  expect(beyond({ fromMs: 20 * HOUR, toMs: 60 * HOUR }, day)).toEqual({ sinceMs: 20 * HOUR, untilMs: 60 * HOUR });
  // At midnight exactly, nothing lies on another day.
  expect(beyond(day, day)).toEqual({ sinceMs: null, untilMs: null });
});
