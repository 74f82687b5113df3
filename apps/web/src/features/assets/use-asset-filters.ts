import { TRACKER_PROTOCOLS, VEHICLE_TYPES, type Vehicle } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import type { Filter } from '../../registry/Toolbar.tsx';
import { protocolName } from '../../vehicles/protocol-name.ts';
import { type AssetFilter, DOCUMENTS, DRIVERS, SUBSCRIPTIONS, tagsOf } from './filters.ts';

/** The list's filters with their labels. Only types, trackers and tags in use are offered. */
export function useAssetFilters(vehicles: readonly Vehicle[]): Filter[] {
  const { t } = useTranslation(['assets', 'vehicle']);
  const types = new Set(vehicles.map(({ type }) => type));
  const trackers = new Set(vehicles.map(({ protocol }) => protocol));
  const filter = (id: AssetFilter, options: Filter['options']): Filter => ({ id, label: t(`filters.${id}`), options });
  const tags = tagsOf(vehicles);
  return [
    filter('type', [
      ...VEHICLE_TYPES.filter(type => types.has(type)).map(type => ({ value: type, label: t(`vehicle:type.${type}`) })),
      ...(types.has(null) ? [{ value: 'none', label: t('filters.noType') }] : []),
    ]),
    filter('tracker', [
      ...TRACKER_PROTOCOLS.filter(protocol => trackers.has(protocol)).map(protocol => ({
        value: protocol,
        label: protocolName(protocol) ?? protocol,
      })),
      ...(trackers.has(null) ? [{ value: 'none', label: t('filters.noTracker') }] : []),
    ]),
    filter(
      'documents',
      DOCUMENTS.map(value => ({ value, label: t(`filters.documentsAre.${value}`) })),
    ),
    filter(
      'subscription',
      SUBSCRIPTIONS.map(value => ({ value, label: t(`filters.subscriptionIs.${value}`) })),
    ),
    filter(
      'driver',
      DRIVERS.map(value => ({ value, label: t(`filters.driverIs.${value}`) })),
    ),
    ...(tags.length > 0
      ? [
          filter(
            'tag',
            tags.map(value => ({ value, label: value })),
          ),
        ]
      : []),
  ].filter(({ options }) => options.length > 0);
}
