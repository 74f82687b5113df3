import { formatLocale } from './locale.ts';

const POINTS = ['N', 'NNE', 'NE', 'ENE', 'E', 'ESE', 'SE', 'SSE', 'S', 'SSW', 'SW', 'WSW', 'W', 'WNW', 'NW', 'NNW'];
const SPOKEN: Readonly<Record<string, readonly string[]>> = {
  en: ['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'],
  es: ['norte', 'nordeste', 'este', 'sudeste', 'sur', 'sudoeste', 'oeste', 'noroeste'],
  fr: ['nord', 'nord-est', 'est', 'sud-est', 'sud', 'sud-ouest', 'ouest', 'nord-ouest'],
};

const language = (): string => formatLocale().slice(0, 2);
/** West is `oeste` and `ouest`. */
const west = (point: string): string => (language() === 'en' ? point : point.replaceAll('W', 'O'));

const turn = (course: number, parts: number): number => Math.round(((course % 360) + 360) / (360 / parts)) % parts;

/** A course as a point of the compass: 22° is `NNE`. */
export const compassPoint = (course: number): string => west(POINTS[turn(course, 16)] ?? 'N');

/** The same in a word, for those who hear it. */
export const spokenCourse = (course: number): string => (SPOKEN[language()] ?? SPOKEN.en)?.[turn(course, 8)] ?? '';

/** Decimal degrees to five places, about a metre, as every map takes them: `41.87811, -87.62980`. */
export const formatCoordinates = (lat: number, lon: number): string => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
