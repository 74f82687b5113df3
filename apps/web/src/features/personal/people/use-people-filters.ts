import { useTranslation } from 'react-i18next';
import type { Filter } from '../../../registry/Toolbar.tsx';
import { HAVING, LICENCES, type PeopleFilter, STATES } from './filters.ts';

/** The people list's filters with their labels. */
export function usePeopleFilters(): Filter[] {
  const { t } = useTranslation('personal');
  const filter = (id: PeopleFilter, options: Filter['options']): Filter => ({ id, label: t(`filters.${id}`), options });
  return [
    filter(
      'licence',
      LICENCES.map(value => ({ value, label: t(`filters.licenceIs.${value}`) })),
    ),
    filter(
      'card',
      HAVING.map(value => ({ value, label: t(`filters.cardIs.${value}`) })),
    ),
    filter(
      'vehicle',
      HAVING.map(value => ({ value, label: t(`filters.vehicleIs.${value}`) })),
    ),
    filter(
      'state',
      STATES.map(value => ({ value, label: t(`filters.stateIs.${value}`) })),
    ),
  ];
}
