import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsOf, mainSpots } from './camera.ts';

const spot = fc.record({
  lat: fc.double({ min: -80, max: 80, noNaN: true }),
  lon: fc.double({ min: -180, max: 180, noNaN: true }),
});

describe('the opening view', () => {
  const city = Array.from({ length: 32 }, (_, i) => ({ lat: 41.8 + (i % 8) / 100, lon: -87.7 + i / 200 }));

  it('lets a few long hauls go, which would make the city a single dot', () => {
    const hauls = [
      { lat: 34, lon: -118 },
      { lat: 47, lon: -122 },
      { lat: 30, lon: -90 },
    ];
    expect(boundsOf(mainSpots([...city, ...hauls]))?.[0]).toBeGreaterThan(-88);
  });

  it('shows all of a fleet that is spread evenly', () => {
    expect(mainSpots(city)).toHaveLength(32);
    const wide = Array.from({ length: 20 }, (_, i) => ({ lat: 30 + i, lon: -120 + 2 * i }));
    expect(mainSpots(wide)).toHaveLength(20);
  });

  it('keeps at least six tenths of any fleet, and every one of a single place', () => {
    fc.assert(
      fc.property(fc.array(spot, { maxLength: 40 }), spots => {
        expect(mainSpots(spots).length).toBeGreaterThanOrEqual(Math.floor(spots.length * 0.6));
      }),
    );
  });
});
