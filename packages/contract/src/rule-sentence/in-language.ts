import { celsius, fromKilometresPerHour, toFahrenheit, toKilometresPerHour, toMilesPerHour } from '@milepost/units';
import type { Language } from '../language.ts';
import type { RuleTexts } from './texts.ts';

/** In whose language and units. */
export interface RuleReader {
  readonly language: Language;
  readonly distanceUnit: 'mi' | 'km';
  readonly temperatureUnit: 'f' | 'c';
}

/** The gap between a figure and its unit: a narrow no-break space. */
const GAP = '\u202f';

export function speedText(kmh: number, { distanceUnit, language }: RuleReader): string {
  const speed = fromKilometresPerHour(kmh);
  const isMiles = distanceUnit === 'mi';
  const value = isMiles ? toMilesPerHour(speed) : toKilometresPerHour(speed);
  return `${numberIn(language, 0, 0).format(value)}${GAP}${isMiles ? 'mph' : 'km/h'}`;
}

/** `200 m`, `650 ft` */
export function shortDistanceText(meters: number, { distanceUnit, language }: RuleReader): string {
  const isFeet = distanceUnit === 'mi';
  const value = isFeet ? meters / METERS_PER_FOOT : meters;
  return `${numberIn(language, 0, 0).format(value)}${GAP}${isFeet ? 'ft' : 'm'}`;
}
const METERS_PER_FOOT = 0.3048;

export function temperatureText(degrees: number, { language, temperatureUnit }: RuleReader): string {
  const isFahrenheit = temperatureUnit === 'f';
  const value = isFahrenheit ? toFahrenheit(celsius(degrees)) : degrees;
  return `${numberIn(language, 1, 1).format(value)}${GAP}${isFahrenheit ? '°F' : '°C'}`;
}

/** `40 min`, `2 h`, `1 h 30 min`, `3 d`. */
export function minutesText(minutes: number, { unit }: Pick<RuleTexts, 'unit'>): string {
  const [days, hours, left] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  const parts = [
    days > 0 && filled(unit.days, { days }),
    hours > 0 && filled(unit.hours, { hours }),
    left > 0 && filled(unit.minutes, { minutes: left }),
  ];
  return parts.filter(Boolean).join(' ');
}

/** `30 s` */
export const secondsText = (seconds: number, { unit }: Pick<RuleTexts, 'unit'>): string =>
  filled(unit.seconds, { seconds });

const MONDAY = Date.UTC(2026, 0, 5);
/** 1 is Monday, 7 is Sunday. */
export const weekdayName = (day: number, language: string, length: 'short' | 'long' = 'short'): string =>
  kept(`${language} ${length}`, () => new Intl.DateTimeFormat(language, { weekday: length, timeZone: 'UTC' })).format(
    MONDAY + (day - 1) * 86_400_000,
  );

export const filled = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name: string) => String(values[name] ?? ''));

interface Forms {
  readonly one: string;
  readonly other: string;
}

export function counted(
  forms: Forms,
  count: number,
  { language }: Pick<RuleReader, 'language'>,
  values: Readonly<Record<string, string>> = {},
): string {
  const isOne = kept(`plural ${language}`, () => new Intl.PluralRules(language)).select(count) === 'one';
  return filled(isOne ? forms.one : forms.other, { ...values, count: numberIn(language, 0, 3).format(count) });
}

export const numberIn = (language: string, least: number, most: number): Intl.NumberFormat =>
  kept(
    `${language} ${least} ${most}`,
    () => new Intl.NumberFormat(language, { minimumFractionDigits: least, maximumFractionDigits: most }),
  );

export const listText = (words: readonly string[], language: string): string =>
  kept(`list ${language}`, () => new Intl.ListFormat(language, { type: 'conjunction' })).format(words);

/** Formatters are expensive to create, and there are few of them. */
const made = new Map<string, unknown>();
function kept<T>(key: string, make: () => T): T {
  const known = made.get(key) as T | undefined;
  if (known !== undefined) return known;
  const fresh = make();
  made.set(key, fresh);
  return fresh;
}
