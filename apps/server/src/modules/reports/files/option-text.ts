import type { ReportOptionKey } from '@milepost/contract';
import { LITRES_PER_GALLON, metres, toKilometres, toMiles } from '@milepost/units';
import type { FileStyle } from '../reader.ts';
import type { ChosenOption } from '../run.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** What the report was asked for besides whom and when: `Not warmer than 8 °C`. Empty where it makes no difference. */
export function optionText({ key, title, value }: ChosenOption, style: FileStyle, currency: string): string {
  const text = valueText(key, value, style, currency);
  return text === '' ? '' : `${title} ${text}`;
}

function valueText(
  key: ReportOptionKey,
  value: number,
  { distanceUnit, language }: FileStyle,
  currency: string,
): string {
  const isMiles = distanceUnit === 'mi';
  const figure = (of: number, digits: number): string =>
    of.toLocaleString(language, { maximumFractionDigits: digits, minimumFractionDigits: digits });
  const [litres, volume] = isMiles ? [LITRES_PER_GALLON, 'gal'] : [1, 'L'];
  switch (key) {
    case 'coldFrom':
    case 'coldTo':
      return `${value} °C`;
    case 'workFrom':
    case 'workTo':
      return `${two(Math.floor(value / 60))}:${two(value % 60)}`;
    case 'idleHeavyMl':
    case 'idleLightMl':
      return `${figure(value / 1000 / litres, 2)} ${volume}/h`;
    case 'fuelPrice':
      return value === 0 ? '' : `${figure((value / 1000) * litres, 2)} ${currency}/${volume}`;
    case 'minimumM':
      return value === 0 ? '' : `${figure((isMiles ? toMiles : toKilometres)(metres(value)), 1)} ${distanceUnit}`;
    case 'minimumS':
      return value === 0 ? '' : value % 60 === 0 ? `${value / 60} min` : `${value} s`;
  }
}
