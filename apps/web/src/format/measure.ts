import {
  type Celsius,
  fromKilometresPerHour,
  LITRES_PER_GALLON,
  type Metres,
  type MetresPerSecond,
  metres,
  toFahrenheit,
  toKilometres,
  toKilometresPerHour,
  toMiles,
  toMilesPerHour,
} from '@milepost/units';
import { numberFormat } from './locale.ts';

/** The units shown to the user; all values inside are SI. Speeds and heights use the unit of distance. */
export interface MeasureSystem {
  readonly distance: 'mi' | 'km';
  readonly volume: 'gal' | 'l';
  readonly temperature: 'f' | 'c';
}

export const US: MeasureSystem = { distance: 'mi', volume: 'gal', temperature: 'f' };
export const METRIC: MeasureSystem = { distance: 'km', volume: 'l', temperature: 'c' };

/** Miles and Fahrenheit for the US, kilometers and Celsius elsewhere. */
export function measureSystemOf(language: string): MeasureSystem {
  const locale = new Intl.Locale(language).maximize();
  return locale.region === 'US' ? US : METRIC;
}

/** The gap between a figure and its unit: a narrow no-break space. */
const GAP = '\u202f';
export const METRES_PER_FOOT = 0.3048;

export interface Figure {
  readonly value: string;
  readonly unit: string;
}

export const joined = ({ value, unit }: Figure): string => `${value}${GAP}${unit}`;

const number = (value: number, digits = 0): string =>
  numberFormat({ minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);

export function speedFigure(speed: MetresPerSecond, system: MeasureSystem): Figure {
  return system.distance === 'mi'
    ? { value: number(toMilesPerHour(speed)), unit: 'mph' }
    : { value: number(toKilometresPerHour(speed)), unit: 'km/h' };
}

/** A speed in km/h, as position reports carry it. */
export const wireSpeedFigure = (kmh: number, system: MeasureSystem): Figure =>
  speedFigure(fromKilometresPerHour(kmh), system);

/** One decimal below ten miles or kilometers, none above. */
export function distanceFigure(distance: Metres, system: MeasureSystem): Figure {
  const value = system.distance === 'mi' ? toMiles(distance) : toKilometres(distance);
  return { value: number(value, value < 9.95 ? 1 : 0), unit: system.distance === 'mi' ? 'mi' : 'km' };
}

/** A distance in whole miles or kilometers. What is near a place is at least 1 away; a day without driving has 0. */
export function wholeDistanceFigure(distance: Metres, system: MeasureSystem, least = 0): Figure {
  const value = system.distance === 'mi' ? toMiles(distance) : toKilometres(distance);
  return { value: number(Math.max(least, value)), unit: system.distance === 'mi' ? 'mi' : 'km' };
}

/** A distance that may be short: in feet below a tenth of a mile, in meters below a kilometer. */
export function lengthFigure(length: Metres, system: MeasureSystem): Figure {
  const isShort = system.distance === 'mi' ? toMiles(length) < 0.1 : length < 1000;
  return isShort ? heightFigure(length, system) : distanceFigure(length, system);
}

/** An odometer reading with one decimal. */
export function odometerFigure(km: number, system: MeasureSystem): Figure {
  const distance = metres(km * 1000);
  return system.distance === 'mi'
    ? { value: number(toMiles(distance), 1), unit: 'mi' }
    : { value: number(toKilometres(distance), 1), unit: 'km' };
}

/** An odometer reading without decimals, for lists. */
export function wholeOdometerFigure(km: number, system: MeasureSystem): Figure {
  const distance = metres(km * 1000);
  return system.distance === 'mi'
    ? { value: number(toMiles(distance)), unit: 'mi' }
    : { value: number(toKilometres(distance)), unit: 'km' };
}

export function temperatureFigure(temperature: Celsius, system: MeasureSystem): Figure {
  return system.temperature === 'f'
    ? { value: number(toFahrenheit(temperature), 1), unit: '°F' }
    : { value: number(temperature, 1), unit: '°C' };
}

/** Position reports carry liters. */
export function volumeFigure(litres: number, system: MeasureSystem): Figure {
  return system.volume === 'gal'
    ? { value: number(litres / LITRES_PER_GALLON), unit: 'gal' }
    : { value: number(litres), unit: 'L' };
}

export function heightFigure(height: Metres, system: MeasureSystem): Figure {
  return system.distance === 'mi'
    ? { value: number(height / METRES_PER_FOOT), unit: 'ft' }
    : { value: number(height), unit: 'm' };
}
