import { latitudeAt, longitudeAt } from '../mercator.ts';
import { type Place, WORLD_UNITS } from './ways.ts';

/** Each tile rounds to whole units separately, so a street's two ends at the border of tiles may be this far apart. */
const SAME_WITHIN = 2;

export interface Nodes {
  numberOf(place: Place): number;
  /** Longitude and latitude, by node number. */
  readonly coordinates: readonly (readonly [number, number])[];
}

/**
 * Numbers the nodes of the graph; places this close together become one node. All places are collected before numbers
 * are assigned, so that a place has the same number however it is reached.
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
