import { fromMinutes } from '@milepost/units';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { before, type Errand, endOf, inOrder, legsOf, roadBetween } from './way.ts';

const NOW = Date.UTC(2026, 10, 21, 14);
const at = (hours: number): number => NOW + hours * 3_600_000;
const CHICAGO = { lat: 41.88, lon: -87.63 };
const GARY = { lat: 41.6, lon: -87.34 };
const errand = (more: Partial<Errand> = {}): Errand => ({
  ...{
    state: 'assigned',
    dueFrom: null,
    dueTo: null,
    stops: [{ name: 'Gary', ...GARY, actions: [] }],
    arrivedAt: null,
  },
  ...more,
});

describe('the way to a task', () => {
  it('is the straight line, a quarter longer, at 50 mph, in whole minutes', () => {
    // 39.3 km as the crow flies.
    expect(roadBetween(CHICAGO, GARY) / 1000).toBeCloseTo(49.2, 0);
    const [leg] = legsOf(errand({ dueFrom: at(1), dueTo: at(2) }), CHICAGO, NOW, true);
    expect(leg).toMatchObject({ driving: fromMinutes(37), from: at(1), by: at(2), work: fromMinutes(30) });
    expect(legsOf(errand({ dueTo: at(2) }), CHICAGO, NOW, false)[0]).toMatchObject({ by: null });
  });

  it('takes the stricter of the times of a task and its first stop, and only their own for the others', () => {
    const stops = [
      { ...errand().stops[0], windowFrom: new Date(at(2)).toISOString(), windowTo: new Date(at(4)).toISOString() },
      { name: 'Home', ...CHICAGO, actions: [], serviceMin: 5 },
    ] as Errand['stops'];
    const legs = legsOf(errand({ dueFrom: at(1), dueTo: at(3), stops }), CHICAGO, NOW, true);
    expect(legs.map(({ from, by }) => [from, by])).toEqual([
      [at(2), at(3)],
      [null, null],
    ]);
    expect(legs.map(({ work }) => work)).toEqual([fromMinutes(30), fromMinutes(5)]);
    expect(endOf(legs, GARY)).toMatchObject(CHICAGO);
  });

  it('is over where the vehicle has arrived: what is left is the work', () => {
    const [leg] = legsOf(errand({ state: 'arrived', arrivedAt: at(-0.25), dueTo: at(-1) }), CHICAGO, NOW, true);
    expect(leg).toMatchObject({ driving: 0, by: null, work: fromMinutes(15) });
    expect(legsOf(errand({ state: 'working', arrivedAt: at(-9) }), CHICAGO, NOW, true)[0]?.work).toBe(0);
  });

  it('goes by what has begun, then by what is due', () => {
    const [begun, soon, later, any] = [
      errand({ state: 'enroute', dueTo: at(9) }),
      errand({ dueFrom: at(1) }),
      errand({ dueTo: at(3) }),
      errand(),
    ];
    expect(inOrder([any, later, soon, begun])).toEqual([begun, soon, later, any]);
    expect(before([any, later, soon, begun], errand({ dueTo: at(2) }), NOW)).toEqual([begun, soon]);
    expect(before([errand({ dueTo: at(30) })], errand(), NOW)).toEqual([]);
  });

  it('never gets shorter than the straight line, wherever the places are', () => {
    const place = fc.record({
      lat: fc.double({ min: -80, max: 80, noNaN: true }),
      lon: fc.double({ min: -179, max: 179, noNaN: true }),
    });
    fc.assert(
      fc.property(place, place, (from, to) => {
        const [leg] = legsOf(errand({ stops: [{ name: 'There', ...to, actions: [] }] }), from, NOW, true);
        expect(leg && leg.meters / 22.352).toBeLessThanOrEqual(((leg?.driving ?? 0) / 1000) * 1.0001 + 0.001);
        expect(Number.isInteger(leg?.driving)).toBe(true);
      }),
    );
  });
});
