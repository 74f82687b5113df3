import type { Vehicle } from '@milepost/contract';
import type { VehicleAlerts } from '../../alerts/use-alerts.ts';
import type { Expiry } from '../../documents/expiry.ts';
import type { SearchContext } from '../../search-tokens/matches.ts';

export interface FolderPlace {
  readonly id: string;
  /** Names from the top down. */
  readonly path: readonly string[];
  /** Where it stands among all folders, each before what is in it. */
  readonly order: number;
}

/** What the table knows of vehicles besides their live entries. The same object until something in it changes. */
export interface FleetFacts {
  readonly folderOf: (vehicle: Vehicle) => FolderPlace | null;
  /** Today in the account's zone; null until it is known. */
  readonly todayOf: (vehicle: Vehicle) => { readonly distanceM: number; readonly idlingS: number } | null;
  /** Those that nobody has acknowledged; undefined where there are none. */
  readonly alertsOf: (vehicle: Vehicle) => VehicleAlerts | undefined;
  readonly expiryOf: (date: string) => Expiry;
}

/** A subscription that ends within a month wants somebody to act. */
export const ENDS_SOON_DAYS = 30;

/** The same for a search. */
export const searchContextOf = (facts: FleetFacts, nowMs: number): SearchContext => ({
  nowMs,
  folderPathOf: vehicle => facts.folderOf(vehicle)?.path ?? [],
  alertsOf: vehicle => facts.alertsOf(vehicle)?.count ?? 0,
  todayOf: facts.todayOf,
  expires: ({ documentsExpireOn, daysRemaining }) =>
    (documentsExpireOn !== null && facts.expiryOf(documentsExpireOn) !== 'fine') ||
    (daysRemaining !== null && daysRemaining <= ENDS_SOON_DAYS),
});
