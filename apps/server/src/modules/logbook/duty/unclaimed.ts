import type { MyDuty } from '@milepost/contract';
import { isDutyEvent, takeable } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { readLogFrom } from '../days/read-log.ts';
import { iso } from '../days/shown.ts';
import { readOwner } from '../recorder/log-writer.ts';
import { logOfDriver, unidentifiedLogOf } from '../settings/driver-terms.ts';

/** Of the vehicle; what the desk asks for may be older. */
const SHOWN_MS = 8 * 24 * 3_600_000;

/** Unidentified driving of the vehicle, and what the desk asks this driver to take, that nobody has claimed. */
export async function unclaimedFor(
  trx: AccountTransaction,
  { directory }: Pick<Organisation, 'directory'>,
  driverId: number,
  hereId: number | null,
  nowMs: number,
): Promise<MyDuty['unclaimed']> {
  const asked = await trx
    .selectFrom('unidentified_assignment')
    .innerJoin('duty_entry', 'duty_entry.id', 'unidentified_assignment.record')
    .select(['vehicle_id', 'record', 'touches_at'])
    .where('driver_id', '=', driverId)
    .execute();
  const isAsked = new Set(asked.map(({ record }) => record));
  const declined = new Set(await declinedBy(trx, driverId));
  const vehicles = new Set([...asked.map(({ vehicle_id }) => vehicle_id), ...(hereId === null ? [] : [hereId])]);
  const found: MyDuty['unclaimed'] = [];
  for (const vehicleId of vehicles) {
    const name = unidentifiedLogOf(vehicleId);
    const { home } = await readOwner(trx, name);
    const asOf = asked.flatMap(one => (one.vehicle_id === vehicleId ? [one.touches_at.getTime()] : []));
    const log = await readLogFrom(trx, name, Math.min(nowMs - SHOWN_MS, ...asOf), home, 'read-sound');
    for (const { event, id, status } of log.records()) {
      const isShown = isAsked.has(id) || (vehicleId === hereId && event.at > nowMs - SHOWN_MS);
      const isOpen = status === 'active' && event.type === 1 && event.code === 3 && isShown;
      if (!isOpen || declined.has(id) || !isDutyEvent(event)) continue;
      const taken = takeable(log.records(), id);
      const end = taken?.end?.event;
      const miles =
        end && isDutyEvent(end) && end.miles !== null && event.miles !== null ? end.miles - event.miles : null;
      found.push({
        ...{ vehicleId: String(vehicleId), deviceName: directory.findById(vehicleId)?.name ?? '', record: id },
        ...{ from: iso(event.at), to: taken ? iso(taken.until) : null, miles, place: event.place },
        isAssigned: isAsked.has(id),
      });
    }
  }
  return found;
}

async function declinedBy(trx: AccountTransaction, driverId: number): Promise<string[]> {
  const rows = await trx
    .selectFrom('duty_entry')
    .select('entry')
    .where('log', '=', logOfDriver(driverId))
    .where('action', '=', 'decline')
    .execute();
  return rows.map(({ entry }) => (JSON.parse(entry) as { readonly from: { readonly record: string } }).from.record);
}
