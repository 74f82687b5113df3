import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MapFeature, Position } from '../layers.ts';
import { BANDS, type Bounds, fadeAtEdge } from './fade.ts';

const PATCH: Bounds = [-87.803, 41.771, -87.583, 41.968];
const at = fc.tuple(
  fc.double({ min: PATCH[0], max: PATCH[2], noNaN: true }),
  fc.double({ min: PATCH[1], max: PATCH[3], noNaN: true }),
);
const lineOf = (coordinates: readonly Position[]): MapFeature => ({
  geometry: { type: 'LineString', coordinates },
  properties: { kind: 'minor_road' },
  fromZoom: 12,
});
const length = (line: readonly Position[]): number =>
  line.reduce((sum, to, i) => sum + Math.hypot(to[0] - (line[i - 1] ?? to)[0], to[1] - (line[i - 1] ?? to)[1]), 0);
const area = (ring: readonly Position[]): number =>
  ring.reduce((sum, to, i) => sum + ((ring[i - 1] ?? to)[0] * to[1] - to[0] * (ring[i - 1] ?? to)[1]) / 2, 0);

describe('streets at the edge of a patch', () => {
  it('keep the whole line, in consecutive pieces', () => {
    fc.assert(
      fc.property(fc.array(at, { minLength: 2, maxLength: 6 }), line => {
        const pieces = [...fadeAtEdge(lineOf(line), PATCH)].map(({ geometry }) =>
          geometry.type === 'LineString' ? geometry.coordinates : [],
        );
        expect(pieces.reduce((sum, piece) => sum + length(piece), 0)).toBeCloseTo(length(line), 9);
        for (const [i, piece] of pieces.slice(1).entries()) expect(piece[0]).toEqual(pieces[i]?.at(-1));
      }),
    );
  });

  it('fade band by band toward the edge, and are unchanged inside', () => {
    const middle: Position = [-87.69, 41.87];
    const bands = [...fadeAtEdge(lineOf([middle, [PATCH[0], 41.87]]), PATCH)].map(({ properties }) => properties.edge);
    expect(bands).toEqual([undefined, ...Array.from({ length: BANDS }, (_, i) => BANDS - 1 - i)]);
    expect([...fadeAtEdge(lineOf([middle, [-87.7, 41.88]]), PATCH)]).toEqual([lineOf([middle, [-87.7, 41.88]])]);
  });

  it('keep the whole park', () => {
    fc.assert(
      fc.property(at, at, (a, b) => {
        const ring: Position[] = [a, [b[0], a[1]], b, [a[0], b[1]], a];
        const park: MapFeature = { geometry: { type: 'Polygon', coordinates: [ring] }, properties: {}, fromZoom: 10 };
        const pieces = [...fadeAtEdge(park, PATCH)].flatMap(({ geometry }) =>
          geometry.type === 'Polygon' ? geometry.coordinates : [],
        );
        expect(pieces.reduce((sum, piece) => sum + Math.abs(area(piece)), 0)).toBeCloseTo(Math.abs(area(ring)), 9);
      }),
    );
  });
});
