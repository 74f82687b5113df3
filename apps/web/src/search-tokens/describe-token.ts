import type { VehicleStatus } from '@milepost/geo';
import type { TFunction } from 'i18next';
import { listOf, numberFormat } from '../format/locale.ts';
import { NOBODY, readNear, type SizeField, type Trait, type WordField } from './fields.ts';
import type { SearchToken } from './search-text.ts';

type T = TFunction<['searchTokens', 'vehicle']>;

/** A token in the user's language: `Status: moving or idling`, `Speed > 60 mph`. */
export function describeToken(token: SearchToken, t: T): string {
  if (token.kind === 'size') {
    const amount = `${numberFormat({ maximumFractionDigits: 3 }).format(token.amount)}${unitText(token.field, token.unit)}`;
    return t(token.over ? 'over' : 'under', { field: t(`fields.${token.field}`), amount });
  }
  const values = listOf(
    token.values.map(value => describeValue(token.field, value, t)),
    'disjunction',
  );
  if (token.field === 'is') return token.not ? t('isNot', { values }) : capital(values);
  return t(token.not ? 'not' : 'token', { field: t(`fields.${token.field}`), values });
}

/** A value of a token in words. */
export function describeValue(field: WordField, value: string, t: T): string {
  if (field === 'status') return t(`vehicle:status.${value as VehicleStatus}`).toLowerCase();
  if (field === 'is') return t(`is.${value as Trait}`);
  if (field === 'near') {
    const { amount, place, unit } = readNear(value);
    return t('within', {
      place,
      distance: `${numberFormat({ maximumFractionDigits: 3 }).format(amount)}\u202f${unit}`,
    });
  }
  if (value === NOBODY && (field === 'folder' || field === 'in' || field === 'driver' || field === 'department'))
    return t(`none.${field}`);
  return value;
}

/** The unit with what separates it from the number: `20 m`, `5%`. */
const unitText = (field: SizeField, unit: string): string =>
  unit === '' ? '' : field === 'temp' ? `\u202f°${unit}` : unit === '%' ? '%' : `\u202f${unit}`;

const capital = (text: string): string => text.charAt(0).toLocaleUpperCase() + text.slice(1);
