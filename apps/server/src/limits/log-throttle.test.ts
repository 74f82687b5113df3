import { expect, it } from 'vitest';
import { LogThrottle } from './log-throttle.ts';

it('lets each kind through once per period, up to a number of kinds', () => {
  const throttle = new LogThrottle(1000, 2);
  expect(['a', 'a', 'b', 'c', 'b'].map(kind => throttle.allows(kind, 5000))).toEqual([true, false, true, false, false]);
  expect(['a', 'c', 'd'].map(kind => throttle.allows(kind, 6000))).toEqual([true, true, false]);
});
