import type { FleetPeriod, MeasuredDays, Vehicle } from '@milepost/contract';
import type { VehicleAlerts } from '../../alerts/use-alerts.ts';
import type { Expiry } from '../../documents/expiry.ts';
import type { HoursOf } from '../../logbook/use-hours-of.ts';
import type { SearchContext } from '../../search-tokens/matches.ts';
import type { TaskOf } from '../../tasks/use-next-tasks.ts';

export interface FolderPlace {
  readonly id: string;
  /** Folder names from the top down. */
  readonly path: readonly string[];
  /** Position among all folders, with parents before children. */
  readonly order: number;
}

/** A geofence that a vehicle is inside. */
export interface Inside {
  readonly name: string;
  readonly sinceMs: number;
  /** The vehicle had entered before the known time. */
  readonly isAtLeast: boolean;
}

/**
 * What the table shows about vehicles besides their live entries. It stays the same object until something in it
 * changes.
 */
export interface FleetFacts {
  readonly folderOf: (vehicle: Vehicle) => FolderPlace | null;
  /** Figures for today or the chosen period, in the account's time zone; null until loaded. */
  readonly sumsOf: (vehicle: Vehicle) => FleetPeriod['vehicles'][number] | null;
  readonly days: MeasuredDays | null;
  /** Names of the driver's departments, from the top down. */
  readonly departmentPathOf: (driverId: string) => readonly string[];
  /** Names of the geofences that the vehicle is inside; only if the search asks for a geofence. */
  readonly geofencesOf?: SearchContext['geofencesOf'];
  /** The geofences that the vehicle is inside, the last one entered first; only if the table shows them. */
  readonly insideOf?: (vehicle: Vehicle) => readonly Inside[];
  /** Undefined if the account keeps no logs, or the user may not see them. */
  readonly hoursOf?: HoursOf;
  /** Undefined if nobody has a task, or the user may not see tasks. */
  readonly taskOf?: TaskOf;
  /** The vehicle's distance from places that the search names. */
  readonly awayFrom?: SearchContext['awayFrom'];
  /** Unacknowledged alerts; undefined if there are none. */
  readonly alertsOf: (vehicle: Vehicle) => VehicleAlerts | undefined;
  readonly expiryOf: (date: string) => Expiry;
}

/** For how long the vehicle's status was known, in seconds. */
export const trackedS = (sums: FleetPeriod['vehicles'][number] | null): number | null =>
  sums && sums.movingS + sums.idlingS + sums.stoppedS;

/** A subscription that ends within a month needs action. */
export const ENDS_SOON_DAYS = 30;

/** The same facts, as the search needs them. */
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
