import { randomUUID } from 'node:crypto';
import type { AlertKind, Severity } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { LiveStates } from '../../ingest/live.ts';
import type { DrivenVehicle } from '../organisation/driving.ts';
import type { DirectoryEntry } from '../vehicles/directory.ts';

export interface Scene {
  readonly live: Pick<LiveStates, 'of'>;
  readonly driverOf: (vehicle: DrivenVehicle) => number | null;
}

export interface NewAlert {
  readonly kind: AlertKind;
  readonly severity: Severity;
  readonly at: Date;
  /** Null while nothing says when it ends. */
  readonly closedAt: Date | null;
  readonly commandId: string | null;
}

/** Writes an alert that no report has brought, where the vehicle is now. Answers its id; null where it stands already. */
export async function openAlert(
  { db }: Pick<Context, 'db'>,
  { live, driverOf }: Scene,
  vehicle: DirectoryEntry,
  { kind, severity, at, closedAt, commandId }: NewAlert,
): Promise<string | null> {
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
      driver_id: driverOf(vehicle),
      command_id: commandId,
      acknowledged_at: null,
      acknowledged_by: null,
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}
