import { randomUUID } from 'node:crypto';
import type { AlertKind, Severity } from '@milepost/contract';
import { epochMs } from '@milepost/units';
import type { Context } from '../../context.ts';
import type { BuiltInAlerts } from '../../fleet/built-in-alerts.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { DrivenVehicle } from '../../fleet/driving.ts';
import type { LiveStates } from '../../fleet/live.ts';

export interface Scene {
  readonly live: Pick<LiveStates, 'of'>;
  readonly driverOf: (vehicle: DrivenVehicle) => number | null;
  readonly builtIns: BuiltInAlerts;
}

export interface NewAlert {
  readonly kind: AlertKind;
  readonly severity: Severity;
  readonly at: Date;
  /** Null if nothing tells when it ends. */
  readonly closedAt: Date | null;
  readonly commandId: string | null;
}

/**
 * Writes an alert that did not come from a report, at the vehicle's current position. Returns its ID; null if it
 * exists already, or the account wants none.
 */
export async function openAlert(
  { db }: Pick<Context, 'db'>,
  { builtIns, live, driverOf }: Scene,
  vehicle: DirectoryEntry,
  { kind, severity: usual, at, closedAt, commandId }: NewAlert,
): Promise<string | null> {
  const driverId = driverOf(vehicle);
  const about = { accountId: vehicle.accountId, vehicleId: vehicle.id, kind, at: epochMs(at.getTime()), driverId };
  const severity = builtIns.severityOf(about, usual);
  if (severity === null) return null;
  const place = live.of(vehicle.id)?.motion.place;
  const row = await db.system
    .insertInto('alert')
    .values({
      id: randomUUID(),
      account_id: vehicle.accountId,
      vehicle_id: vehicle.id,
      kind,
      severity,
      event: null,
      opened_at: at,
      updated_at: at,
      closed_at: closedAt,
      lat: place?.lat ?? null,
      lon: place?.lon ?? null,
      figures: null,
      conflict: null,
      driver_id: driverId,
      command_id: commandId,
      acknowledged_at: null,
      acknowledged_by: null,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}
