import { type Degrees, degrees, fromMiles } from '@milepost/units';
import { describe, expect, it } from 'vitest';
import { locationDescription, type NearTown } from './location.ts';

const near = (town: Partial<NearTown>) => () => ({
  name: 'Chicago',
  state: 'IL',
  distance: fromMiles(6.2),
  bearing: degrees(202.5),
  ...town,
});
const nowhere: readonly [Degrees, Degrees] = [degrees(41.8), degrees(-87.7)];

describe('a location', () => {
  it.each<[Partial<NearTown>, string | null]>([
    [{}, '6mi SSW IL Chicago'],
    [{ name: 'Darien', distance: fromMiles(1.6), bearing: degrees(112) }, '2mi ESE IL Darien'],
    [
      { name: 'West Lafayette', state: 'IN', distance: fromMiles(11), bearing: degrees(-22) },
      '11mi NNW IN West Lafayette',
    ],
    [{ distance: fromMiles(0.2), bearing: degrees(359) }, '0mi N IL Chicago'],
    [{ distance: fromMiles(99.6) }, null],
    [{ state: 'Uruguay' }, null],
    [{ name: 'x'.repeat(80) }, `6mi SSW IL ${'x'.repeat(49)}`],
  ])('%j is %s', (town, text) => expect(locationDescription(near(town), ...nowhere)).toBe(text));

  it('is null where there is no town', () => expect(locationDescription(() => null, ...nowhere)).toBeNull());
});
