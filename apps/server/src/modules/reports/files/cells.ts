import type { NearTown, ReportCell, ReportColumn, ReportPage } from '@milepost/contract';
import { compassPoint } from '@milepost/geo';
import {
  degrees,
  metres,
  metresPerSecond,
  toKilometres,
  toKilometresPerHour,
  toMiles,
  toMilesPerHour,
} from '@milepost/units';
import { TEXTS } from '../../notifications/texts/texts.ts';
import type { FileStyle } from '../reader.ts';

type Place = Extract<ReportCell, { address: string | null }>;

/** The head of a column, with its unit; the first column of times says their zone. */
export function headsOf(
  { columns, currency, zone }: Pick<ReportPage, 'columns' | 'currency' | 'zone'>,
  style: FileStyle,
): string[] {
  const first = columns.findIndex(({ type }) => type === 'moment');
  return columns.map(({ title, type }, index) => {
    const unit = index === first ? zone : type === 'money' ? currency : unitOf(type, style);
    return unit === '' ? title : `${title} (${unit})`;
  });
}

function unitOf(type: ReportColumn['type'], { distanceUnit }: FileStyle): string {
  if (type === 'distance') return distanceUnit;
  if (type === 'speed') return distanceUnit === 'mi' ? 'mph' : 'km/h';
  return type === 'share' ? '%' : '';
}

const FIGURES: ReadonlySet<ReportColumn['type']> = new Set([
  'distance',
  'duration',
  'speed',
  'share',
  'count',
  'number',
  'money',
  'coordinate',
]);

/** What stands at the right of its column. */
export const isFigure = (type: ReportColumn['type']): boolean => FIGURES.has(type);

/** A distance, speed, share or other figure in the reader's units, rounded to what it can mean. */
export function figureIn(value: number, type: ReportColumn['type'], { distanceUnit }: FileStyle): number {
  const isMiles = distanceUnit === 'mi';
  switch (type) {
    case 'distance':
      return rounded(isMiles ? toMiles(metres(value)) : toKilometres(metres(value)), 1000);
    case 'speed': {
      const speed = metresPerSecond(value);
      return rounded(isMiles ? toMilesPerHour(speed) : toKilometresPerHour(speed), 10);
    }
    case 'share':
      return rounded(value * 100, 10);
    case 'money':
      return rounded(value, 100);
    case 'coordinate':
      return rounded(value, 1e6);
    default:
      return rounded(value, 1000);
  }
}

const rounded = (value: number, steps: number): number => Math.round(value * steps) / steps;

/** `3 mi SSW of Whitestown, IN`, or the address. */
export function placeIn({ address, near }: Place, style: FileStyle): string {
  return near ? nearIn(near, style) : (address ?? '');
}

function nearIn({ bearing, distanceM, town }: NearTown, { distanceUnit, language }: FileStyle): string {
  const away = distanceUnit === 'mi' ? toMiles(metres(distanceM)) : toKilometres(metres(distanceM));
  const length = `${Math.max(1, Math.round(away))} ${distanceUnit}`;
  return TEXTS[language].near(length, compassPoint(degrees(bearing)), town);
}

/** `4:07:30`, as spreadsheets read a time that lasted. */
export function clockOf(seconds: number): string {
  const whole = Math.round(seconds);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
}
