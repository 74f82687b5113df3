import { expect, it } from 'vitest';
import { AIM_KB, measureWebSize } from '../bench/web-size.ts';

it('the first page of a visit, whichever it is, stays within its JavaScript budget', () => {
  const { firstRouteKb } = measureWebSize();
  expect(Object.keys(firstRouteKb)).toEqual(Object.keys(AIM_KB));
  for (const [route, kb] of Object.entries(firstRouteKb)) expect(kb, route).toBeLessThanOrEqual(AIM_KB[route] ?? 0);
});
