import type { FleetPeriod, MeasuredDays, Vehicle } from '@milepost/contract';
import type { VehicleAlerts } from '../../alerts/use-alerts.ts';
import type { Expiry } from '../../documents/expiry.ts';
import type { SearchContext } from '../../search-tokens/matches.ts';

export interface FolderPlace {
  readonly id: string;
  /** Names from the top down. */
  readonly path: readonly string[];
  /** Its place in the order of all folders, parents before children. */
  readonly order: number;
}

/** A geofence that a vehicle is inside. */
export interface Inside {
  readonly name: string;
  readonly sinceMs: number;
  /** It was inside before. */
  readonly isAtLeast: boolean;
}

/** What the table knows of vehicles besides their live entries. The same object until something in it changes. */
export interface FleetFacts {
  readonly folderOf: (vehicle: Vehicle) => FolderPlace | null;
  /** Today or the chosen period in the account's time zone; null until known. */
  readonly sumsOf: (vehicle: Vehicle) => FleetPeriod['vehicles'][number] | null;
  readonly days: MeasuredDays | null;
  /** Names of the departments that a driver is in, from the top down. */
  readonly departmentPathOf: (driverId: string) => readonly string[];
  /** Names of the geofences that it is inside, if the search asks for one. */
  readonly geofencesOf?: SearchContext['geofencesOf'];
  /** The geofences that it is inside, the last one entered first, where that is shown. */
  readonly insideOf?: (vehicle: Vehicle) => readonly Inside[];
  /** How far it is from places that the search names. */
  readonly awayFrom?: SearchContext['awayFrom'];
  /** Unacknowledged alerts; undefined if there are none. */
  readonly alertsOf: (vehicle: Vehicle) => VehicleAlerts | undefined;
  readonly expiryOf: (date: string) => Expiry;
}

/** How long something was known of a vehicle. */
export const trackedS = (sums: FleetPeriod['vehicles'][number] | null): number | null =>
  sums && sums.movingS + sums.idlingS + sums.stoppedS;

/** A subscription that ends within a month needs action. */
export const ENDS_SOON_DAYS = 30;

/** The same for a search. */
export const searchContextOf = (facts: FleetFacts, nowMs: number): SearchContext => ({
  nowMs,
  folderPathOf: vehicle => facts.folderOf(vehicle)?.path ?? [],
  alertsOf: vehicle => facts.alertsOf(vehicle)?.count ?? 0,
  departmentPathOf: facts.departmentPathOf,
  ...(facts.geofencesOf && { geofencesOf: facts.geofencesOf }),
  ...(facts.awayFrom && { awayFrom: facts.awayFrom }),
  sumsOf: facts.sumsOf,
  expires: ({ documentsExpireOn, daysRemaining }) =>
    (documentsExpireOn !== null && facts.expiryOf(documentsExpireOn) !== 'fine') ||
    (daysRemaining !== null && daysRemaining <= ENDS_SOON_DAYS),
});
