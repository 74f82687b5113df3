import type { Vehicle } from '@milepost/contract';
import type { Expiry } from '../../documents/expiry.ts';
import { nameCollator } from '../../format/locale.ts';
import { matchesSearch } from '../../registry/search.ts';
import { protocolName } from '../../vehicles/protocol-name.ts';
import { modelOf } from '../../vehicles/vehicle-words.ts';

/** Parameters of the address; the folder is chosen in the tree. */
export const ASSET_FILTERS = ['folder', 'type', 'tracker', 'documents', 'subscription', 'driver', 'tag'] as const;
export type AssetFilter = (typeof ASSET_FILTERS)[number];

export const DOCUMENTS = ['ended', 'ending', 'fine', 'none'] as const;
/** A subscription that ends within a month needs action. */
export const SUBSCRIPTION_ENDS_SOON_DAYS = 30;
export const SUBSCRIPTIONS = ['over', 'ending', 'running'] as const;
export const DRIVERS = ['some', 'none'] as const;

export interface AssetView {
  readonly query: string;
  readonly filters: Readonly<Record<string, readonly string[]>>;
}

/** The texts that the search looks in. */
const textsOf = (vehicle: Vehicle): (string | null)[] => [
  vehicle.deviceName,
  vehicle.plate,
  vehicle.vin,
  vehicle.imei,
  vehicle.simNumber,
  vehicle.trackerId,
  modelOf(vehicle),
  vehicle.driver?.name ?? null,
  vehicle.trackerModel,
  protocolName(vehicle.protocol),
  ...vehicle.tags,
];

export function subscriptionOf(daysRemaining: number | null): (typeof SUBSCRIPTIONS)[number] | null {
  if (daysRemaining === null) return null;
  if (daysRemaining === 0) return 'over';
  return daysRemaining <= SUBSCRIPTION_ENDS_SOON_DAYS ? 'ending' : 'running';
}

/** A vehicle's values for each filter. It is hidden if none of them is chosen in a filter. */
function valuesOf(vehicle: Vehicle, expiryOf: (date: string) => Expiry): Readonly<Record<string, readonly string[]>> {
  return {
    type: [vehicle.type ?? 'none'],
    tracker: [vehicle.protocol ?? 'none'],
    documents: [vehicle.documentsExpireOn === null ? 'none' : expiryOf(vehicle.documentsExpireOn)],
    subscription: [subscriptionOf(vehicle.daysRemaining) ?? 'none'],
    driver: [vehicle.driver === null ? 'none' : 'some'],
    tag: vehicle.tags,
  };
}

/** The vehicles of a folder (null: of all folders) that match the search and all filters. */
export function shownVehicles(
  vehicles: readonly Vehicle[],
  folder: ReadonlySet<string> | null,
  { query, filters }: AssetView,
  expiryOf: (date: string) => Expiry,
): Vehicle[] {
  return vehicles.filter(vehicle => {
    if (folder !== null && !folder.has(vehicle.id)) return false;
    const values = valuesOf(vehicle, expiryOf);
    const passes = Object.entries(filters).every(
      ([filter, chosen]) => values[filter] === undefined || chosen.some(value => values[filter]?.includes(value)),
    );
    return passes && matchesSearch(query, textsOf(vehicle));
  });
}

/** All tags in use, as displayed. */
export function tagsOf(vehicles: readonly Vehicle[]): string[] {
  return [...new Set(vehicles.flatMap(({ tags }) => tags))].toSorted(nameCollator().compare);
}
