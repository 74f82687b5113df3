import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Context } from '../context.ts';
import type { AlertTable } from '../db/alert-schema.ts';

/** An alert that lasts: somebody pressed the emergency button just now. */
export async function addAlert(
  { context }: { readonly context: Pick<Context, 'db'> },
  accountId: number,
  vehicleId: number,
  fields: Partial<Insertable<AlertTable>> = {},
): Promise<string> {
  const now = new Date();
  const id = randomUUID();
  await context.db.system
    .insertInto('alert')
    .values({
      id,
      account_id: accountId,
      vehicle_id: vehicleId,
      kind: 'sos',
      severity: 'critical',
      event: 'sos',
      opened_at: now,
      updated_at: now,
      closed_at: null,
      lat: 41.9,
      lon: -87.68,
      driver_id: null,
      command_id: null,
      acknowledged_at: null,
      acknowledged_by: null,
      ...fields,
    })
    .execute();
  return id;
}
