import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

/** A drive without a planned stop: a line along the street network, with what limits the speed on it. */
export interface Leg {
  /** `[lon, lat]` in degrees. */
  readonly points: readonly (readonly [number, number])[];
  /** Speed limit from point n to point n + 1, km/h. */
  readonly limits: readonly number[];
  /** Points with a crossing where a vehicle may have to wait. */
  readonly crossings: ReadonlySet<number>;
}

/** Legs that together begin and end at the same place, with a delivery after each but the last. */
export type Tour = readonly Leg[];

/** All tours of the demo fleet. */
export interface Tours {
  readonly cityRounds: readonly Tour[];
  /** Out along an interstate and back. */
  readonly longHauls: readonly Tour[];
}

/** The stored format of tours: coordinates in millionths of a degree, the first absolute, the others as differences. */
export interface TourFile {
  readonly format: 'milepost-tours-1';
  readonly cityRounds: readonly (readonly StoredLeg[])[];
  readonly longHauls: readonly (readonly StoredLeg[])[];
}

interface StoredLeg {
  readonly line: readonly number[];
  readonly limits: readonly number[];
  readonly crossings: readonly number[];
}

const PER_DEGREE = 1_000_000;

export const encodeTours = ({ cityRounds, longHauls }: Tours): TourFile => ({
  format: 'milepost-tours-1',
  cityRounds: cityRounds.map(tour => tour.map(encodeLeg)),
  longHauls: longHauls.map(tour => tour.map(encodeLeg)),
});

export const decodeTours = ({ cityRounds, longHauls }: TourFile): Tours => ({
  cityRounds: cityRounds.map(tour => tour.map(decodeLeg)),
  longHauls: longHauls.map(tour => tour.map(decodeLeg)),
});

function encodeLeg({ points, limits, crossings }: Leg): StoredLeg {
  let [x, y] = [0, 0];
  const line = points.flatMap(([lon, lat]) => {
    const [nextX, nextY] = [Math.round(lon * PER_DEGREE), Math.round(lat * PER_DEGREE)];
    const step = [nextX - x, nextY - y];
    [x, y] = [nextX, nextY];
    return step;
  });
  return { line, limits, crossings: [...crossings] };
}

function decodeLeg({ line, limits, crossings }: StoredLeg): Leg {
  let [x, y] = [0, 0];
  const points: [number, number][] = [];
  for (let i = 0; i < line.length; i += 2) {
    x += line[i] ?? 0;
    y += line[i + 1] ?? 0;
    points.push([x / PER_DEGREE, y / PER_DEGREE]);
  }
  return { points, limits, crossings: new Set(crossings) };
}

/** The tours that ship with the product, created by `tools/map/tours.ts`. */
export function readTours(): Tours {
  const file = new URL('../../../../data/demo/tours.json.gz', import.meta.url);
  return decodeTours(JSON.parse(gunzipSync(readFileSync(file)).toString()) as TourFile);
}
