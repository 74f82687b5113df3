import { VEHICLE_STATUSES } from '@milepost/geo';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { listOf } from '../../format/locale.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { Notice } from '../../ui/Notice.tsx';
import { ownUnit, type SizeField, TRAITS } from '../fields.ts';
import type { Search } from '../search-text.ts';
import { type UnknownValue, unknownValues } from './unknown-values.ts';
import { useKnownNames } from './use-known-names.ts';

/** Says which values of a search don't exist, such as a geofence that was deleted or misspelled. */
export function Component({ search, className }: { readonly search: Search; readonly className?: string | undefined }) {
  const { t } = useTranslation(['searchTokens', 'vehicle']);
  const system = useMeasureSystem();
  const unknown = unknownValues(search, useKnownNames(search.tokens));
  if (unknown.length === 0) return null;
  return (
    <Notice tone="warning" role="status" className={className}>
      {unknown.map(one => sentenceOf(one, t, field => `${EXAMPLES[field] ?? 10}${ownUnit(field, system)}`)).join(' ')}
    </Notice>
  );
}

/** Amounts that make sense as limits. */
const EXAMPLES: Partial<Record<SizeField, number>> = { speed: 60, fuel: 20, topspeed: 60, temp: 0, days: 30, stops: 3 };

function sentenceOf(
  unknown: UnknownValue,
  t: TFunction<['searchTokens', 'vehicle']>,
  exampleOf: (field: SizeField) => string,
): string {
  const { field, value } = unknown;
  if (field === 'size') {
    return t('unknown.size', { value, example: `${unknown.of}>${exampleOf(unknown.of)}` });
  }
  const known =
    field === 'status'
      ? listOf([...VEHICLE_STATUSES], 'disjunction')
      : field === 'is'
        ? listOf([...TRAITS], 'disjunction')
        : '';
  return t(`unknown.${field}`, { value, known });
}
