import { type Degrees, type Metres, toMiles } from '@milepost/units';

/** A town near a point, from the offline gazetteer. */
export interface NearTown {
  readonly name: string;
  /** `IL` */
  readonly state: string;
  /** Distance from the town's center to the point, and the bearing of the point from the town. */
  readonly distance: Metres;
  readonly bearing: Degrees;
}

/** Finds the nearest town of 5,000 people or more (Appendix A, 7.29); null where there is none. */
export type TownFinder = (lat: Degrees, lon: Degrees) => NearTown | null;

/** The gazetteer must have all towns of this population or more; smaller ones are optional. */
export const TOWN_POPULATION = 5000;
/** Appendix A table 10, clockwise from north. */
const COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
const MOST_MILES = 99;
const LONGEST = 60;

/**
 * Where an event happened, for people to read: `6mi SSW IL Chicago` (7.29). Null where the gazetteer has no town within
 * 99 miles, or its state is not a two-letter code.
 */
export function locationDescription(find: TownFinder, lat: Degrees, lon: Degrees): string | null {
  const town = find(lat, lon);
  if (town === null || !/^[A-Z]{2}$/.test(town.state)) return null;
  const miles = Math.round(toMiles(town.distance));
  if (!(miles <= MOST_MILES)) return null;
  const point = COMPASS[Math.round((((town.bearing % 360) + 360) % 360) / 22.5) % 16] ?? 'N';
  return `${miles}mi ${point} ${town.state} ${town.name}`.slice(0, LONGEST);
}
