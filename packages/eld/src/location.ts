import { type Degrees, type Metres, toMiles } from '@milepost/units';

/** A town of the offline gazetteer near a point, as whoever has the gazetteer tells it. */
export interface NearTown {
  readonly name: string;
  /** `IL` */
  readonly state: string;
  /** From the middle of the town to the point, and the bearing of the point as seen from the town. */
  readonly distance: Metres;
  readonly bearing: Degrees;
}

/** Finds the nearest town of 5,000 people or more (Appendix A, 7.29); null where there is none. */
export type TownFinder = (lat: Degrees, lon: Degrees) => NearTown | null;

/** Towns from this size on are to be in the gazetteer; smaller ones need not. */
export const TOWN_POPULATION = 5000;
/** Appendix A table 10, clockwise from north. */
const COMPASS = 'N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW'.split(' ');
const MOST_MILES = 99;
const LONGEST = 60;

/**
 * Where an event happened, for the eye: `6mi SSW IL Chicago` (7.29). Null where the gazetteer knows no town, none within
 * 99 miles, or a state that is no pair of letters.
 */
export function locationDescription(find: TownFinder, lat: Degrees, lon: Degrees): string | null {
  const town = find(lat, lon);
  if (town === null || !/^[A-Z]{2}$/.test(town.state)) return null;
  const miles = Math.round(toMiles(town.distance));
  if (!(miles <= MOST_MILES)) return null;
  const point = COMPASS[Math.round((((town.bearing % 360) + 360) % 360) / 22.5) % 16] ?? 'N';
  return `${miles}mi ${point} ${town.state} ${town.name}`.slice(0, LONGEST);
}
