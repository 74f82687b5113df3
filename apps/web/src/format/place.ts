import type { NearTown } from '@milepost/contract';
import { metres } from '@milepost/units';
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
/** West is `oeste` and `ouest`. */
const west = (point: string): string => (language() === 'en' ? point : point.replaceAll('W', 'O'));

const turn = (course: number, parts: number): number => Math.round(((course % 360) + 360) / (360 / parts)) % parts;

/** A course as a point of the compass: 22° is `NNE`. */
export const compassPoint = (course: number): string => west(POINTS[turn(course, 16)] ?? 'N');

/** The same in a word, for screen readers. */
export const spokenCourse = (course: number): string => (SPOKEN[language()] ?? SPOKEN.en)?.[turn(course, 8)] ?? '';

/** A place as the server names it: whole, or in parts where its words hold a distance. */
export interface NamedPlace {
  readonly address: string | null;
  readonly near?: NearTown | null | undefined;
}

/** In the reader's units and language: `N Damen Ave, Chicago, IL`, `3 mi SSW of Whitestown, IN`; empty where nothing is known. */
export function placeWords({ address, near }: NamedPlace, system: MeasureSystem): string {
  if (!near) return address ?? '';
  const distance = joined(wholeDistanceFigure(metres(near.distanceM), system));
  return i18n.t('vehicle:near', { distance, direction: compassPoint(near.bearing), town: near.town });
}

/** Decimal degrees to five places, about a metre, as every map takes them: `41.87811, -87.62980`. */
export const formatCoordinates = (lat: number, lon: number): string => `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
