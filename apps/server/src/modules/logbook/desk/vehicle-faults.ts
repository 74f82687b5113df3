import { FAULT_EVENT_CODES, type FaultEvent } from '@milepost/eld';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';

/** A malfunction or data diagnostic of a vehicle, from when it was logged to when it was cleared. */
export interface VehicleFault {
  readonly vehicleId: number;
  /** `P`, `E` …, `1` … */
  readonly code: string;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly clearedAt: number | null;
  /** The log in which it was recorded: `driver:12`, `unidentified:7`. */
  readonly log: string;
}

const CLEARED: ReadonlySet<number> = new Set([
  FAULT_EVENT_CODES['malfunction-cleared'],
  FAULT_EVENT_CODES['diagnostic-cleared'],
]);

/** Every malfunction and data diagnostic in the logs of these vehicles, by time; of all vehicles, if null. */
export async function readFaults(
  trx: AccountTransaction,
  vehicleIds: readonly number[] | null,
): Promise<VehicleFault[]> {
  if (vehicleIds?.length === 0) return [];
  const rows = await trx
    .selectFrom('duty_entry')
    .select(['device', 'log', 'entry'])
    .where(sql<boolean>`entry like '%"faultCode"%'`)
    .$if(vehicleIds !== null, query =>
      query.where(
        'device',
        'in',
        (vehicleIds ?? []).map(id => `vehicle:${id}`),
      ),
    )
    .orderBy('device')
    .orderBy('device_position')
    .execute();
  const found: { vehicleId: number; code: string; since: number; clearedAt: number | null; log: string }[] = [];
  const open = new Map<string, (typeof found)[number]>();
  for (const { device, log, entry } of rows) {
    const { event } = JSON.parse(entry) as { readonly event: FaultEvent };
    const key = `${device} ${event.faultCode}`;
    if (CLEARED.has(event.code)) {
      const one = open.get(key);
      if (one) one.clearedAt = event.at;
      open.delete(key);
    } else if (!open.has(key)) {
      const vehicleId = Number(device?.replace('vehicle:', ''));
      const one = { vehicleId, code: event.faultCode, since: event.at, clearedAt: null, log };
      open.set(key, one);
      found.push(one);
    }
  }
  return found.sort((a, b) => a.since - b.since);
}

/** The codes of the faults that are open now, by vehicle. */
export function openFaults(faults: readonly VehicleFault[]): ReadonlyMap<number, string[]> {
  const open = new Map<number, string[]>();
  for (const { vehicleId, code, clearedAt } of faults) {
    if (clearedAt === null) open.set(vehicleId, [...(open.get(vehicleId) ?? []), code]);
  }
  return open;
}
