import { FLEET_STATUSES, type Overview } from '@milepost/contract';
import { type Thresholds, UNKNOWN_MOTION, type VehicleStatus, vehicleStatus } from '@milepost/geo';
import { epochMs } from '@milepost/units';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { DrivingNow } from '../../fleet/driving.ts';
import type { LiveStates } from '../../fleet/live.ts';

export interface VehicleNow {
  readonly vehicle: DirectoryEntry;
  readonly status: VehicleStatus;
  /** How long it has been silent. */
  readonly silentMs: number | null;
  readonly driverId: number | null;
}

/** Each vehicle's current status, by the rules of the map and the list. */
export function vehiclesNow(
  vehicles: readonly DirectoryEntry[],
  { live, driving }: { readonly live: LiveStates; readonly driving: DrivingNow },
  nowMs: number,
  thresholds: Thresholds,
): VehicleNow[] {
  return vehicles.map(vehicle => {
    const state = live.of(vehicle.id);
    const now = { ...(state?.motion ?? UNKNOWN_MOTION), heardAt: state?.heardAt ?? null };
    return {
      vehicle,
      status: vehicleStatus(now, epochMs(nowMs), thresholds).status,
      silentMs: state ? nowMs - state.heardAt : null,
      driverId: driving.of(vehicle)?.driver.id ?? null,
    };
  });
}

export function statusCounts(vehicles: readonly VehicleNow[]): Overview['now']['statuses'] {
  const counts = Object.fromEntries(FLEET_STATUSES.map(status => [status, 0])) as Record<VehicleStatus, number>;
  for (const { status } of vehicles) counts[status]++;
  return counts;
}

/** Visible drivers by state: in a vehicle that moves or idles, in one that stands, in none. */
export function driverCounts(
  vehicles: readonly VehicleNow[],
  driverIds: readonly number[],
): NonNullable<Overview['now']['drivers']> {
  const byDriver = new Map(vehicles.flatMap(now => (now.driverId === null ? [] : [[now.driverId, now] as const])));
  const counts = { driving: 0, standing: 0, withoutVehicle: 0 };
  for (const id of driverIds) {
    const status = byDriver.get(id)?.status;
    if (status === undefined) counts.withoutVehicle++;
    else if (status === 'moving' || status === 'idling') counts.driving++;
    else counts.standing++;
  }
  return counts;
}
