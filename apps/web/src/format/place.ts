import type { NearTown } from '@milepost/contract';
import { fromMiles, metres } from '@milepost/units';
import { i18n } from '../base/i18n.ts';
import { formatLocale } from './locale.ts';
import { joined, type MeasureSystem, wholeDistanceFigure } from './measure.ts';

const POINTS = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW'];
const SPOKEN: Readonly<Record<string, readonly string[]>> = {
  en: ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'],
  es: ['norte', 'nordeste', 'este', 'sudeste', 'sur', 'sudoeste', 'oeste', 'noroeste'],
  fr: ['nord', 'nord-est', 'est', 'sud-est', 'sud', 'sud-ouest', 'ouest', 'nord-ouest'],
};

const language = (): string => formatLocale().slice(0, 2);
/** West is abbreviated as O in Spanish (`oeste`) and French (`ouest`). */
const west = (point: string): string => (language() === 'en' ? point : point.replaceAll('W', 'O'));

const turn = (course: number, parts: number): number => Math.round(((course % 360) + 360) / (360 / parts)) % parts;

/** A course as a compass point: 22° is `NNE`. */
export const compassPoint = (course: number): string => west(POINTS[turn(course, 16)] ?? 'N');

/** A course as a word, for screen readers. */
export const spokenCourse = (course: number): string => (SPOKEN[language()] ?? SPOKEN.en)?.[turn(course, 8)] ?? '';

/** A place from the server: an address, or a town with distance and direction, which the app words itself. */
export interface NamedPlace {
  readonly address: string | null;
  readonly near?: NearTown | null | undefined;
}

/**
 * A place in the user's units and language: `N Damen Ave, Chicago, IL`, `3 mi SSW of Whitestown, IN`. Empty if unknown.
 */
export function placeWords({ address, near }: NamedPlace, system: MeasureSystem): string {
  if (!near) return address ?? '';
  const distance = joined(wholeDistanceFigure(metres(near.distanceM), system, 1));
  return i18n.t('vehicle:near', { distance, direction: compassPoint(near.bearing), town: near.town });
}

/** Decimal degrees to five places, about a meter, in the form that every map accepts: `41.87811, -87.62980`. */
export const formatCoordinates = (lat: number, lon: number): string => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;

/** `6mi SSW IL Chicago`: a place in a log (Appendix A, 4.4.2), in which the distance is in miles or kilometers. */
const LOGGED = /^(\d+)(mi|km) ([NESW]{1,3}) ([A-Z]{2}) (.+)$/;

/** A place in a log as people say it: `6 mi SSW of Chicago, IL`. Others, such as those a driver entered, stay as they are. */
export function loggedPlaceWords(place: string, system: MeasureSystem): string {
  const [, distance, unit, point = '', region, name] = LOGGED.exec(place) ?? [];
  const course = POINTS.indexOf(point) * (360 / POINTS.length);
  if (name === undefined || course < 0) return place;
  const town = `${name}, ${region}`;
  if (distance === '0') return town;
  const away = joined(
    wholeDistanceFigure(unit === 'mi' ? fromMiles(Number(distance)) : metres(Number(distance) * 1000), system, 1),
  );
  return i18n.t('vehicle:near', { distance: away, direction: compassPoint(course), town });
}
