import { latitudeAt, longitudeAt } from '../mercator.ts';
import { type Place, WORLD_UNITS } from './ways.ts';

/** Tiles round to whole units on their own, so that a street's two ends at their border may be this far apart. */
const SAME_WITHIN = 2;

export interface Nodes {
  numberOf(place: Place): number;
  /** Longitude and latitude by number. */
  readonly coordinates: readonly (readonly [number, number])[];
}

/**
 * Numbers the places of the graph; those near enough to be one become one node. All are known before the first is asked
 * for, so that a place has one number whichever way it is reached by.
 */
export function numberNodes(places: Iterable<Place>): Nodes {
  const numbers = new Map<string, number>();
  const coordinates: [number, number][] = [];
  const find = ([x, y]: Place): number | undefined => {
    for (let dx = -SAME_WITHIN; dx <= SAME_WITHIN; dx++) {
      for (let dy = -SAME_WITHIN; dy <= SAME_WITHIN; dy++) {
        const number = numbers.get(`${x + dx},${y + dy}`);
        if (number !== undefined) return number;
      }
    }
    return undefined;
  };
  for (const place of places) {
    if (find(place) !== undefined) continue;
    const [x, y] = place;
    numbers.set(`${x},${y}`, coordinates.length);
    coordinates.push([longitudeAt(x / WORLD_UNITS), latitudeAt(y / WORLD_UNITS)]);
  }
  return {
    coordinates,
    numberOf(place) {
      const number = find(place);
      if (number === undefined) throw new Error(`${place.join('/')} is not a place of the graph`);
      return number;
    },
  };
}
