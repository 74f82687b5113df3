import { randomUUID } from 'node:crypto';
import type { Insertable } from 'kysely';
import type { Context } from '../src/context.ts';
import type { AlertTable } from '../src/db/alert-schema.ts';

/** An open alert: the driver just pressed the emergency button. */
export function sosAlert(
  accountId: number,
  vehicleId: number,
  fields: Partial<Insertable<AlertTable>> = {},
): Insertable<AlertTable> & { readonly id: string } {
  const now = new Date();
  return {
    id: randomUUID(),
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
  };
}

export async function addAlert(
  { context }: { readonly context: Pick<Context, 'db'> },
  accountId: number,
  vehicleId: number,
  fields: Partial<Insertable<AlertTable>> = {},
): Promise<string> {
  const alert = sosAlert(accountId, vehicleId, fields);
  await context.db.system.insertInto('alert').values(alert).execute();
  return alert.id;
}
