import type { MyDuty } from '@milepost/contract';
import { isDutyEvent, type RecordLog, takeable } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';
import type { Organisation } from '../../../fleet/organisation.ts';
import { readLogs } from '../days/read-log.ts';
import { iso } from '../days/shown.ts';
import { logOfDriver, unidentifiedLogOf } from '../settings/driver-terms.ts';

/** Of the vehicle; what the desk asks for may be older. */
const SHOWN_MS = 8 * 24 * 3_600_000;

type Asked = Awaited<ReturnType<typeof askedOf>>;

/** What the desk asks this driver to take. */
const askedOf = (trx: AccountTransaction, driverId: number) =>
  trx
    .selectFrom('unidentified_assignment')
    .innerJoin('duty_entry', 'duty_entry.id', 'unidentified_assignment.record')
    .select(['vehicle_id', 'record', 'touches_at'])
    .where('driver_id', '=', driverId)
    .execute();

export interface Unidentified {
  readonly asked: Asked;
  /** By name. */
  readonly logs: ReadonlyMap<string, RecordLog>;
}

/** The unidentified driving of these vehicles since a moment, and what the desk asks this driver to take, however old. */
export async function readUnidentified(
  trx: AccountTransaction,
  driverId: number,
  { fromMs, vehicleIds }: { readonly fromMs: number; readonly vehicleIds: readonly number[] },
): Promise<Unidentified> {
  const asked = await askedOf(trx, driverId);
  const vehicles = new Set([...asked.map(({ vehicle_id }) => vehicle_id), ...vehicleIds]);
  const since = Math.min(fromMs, ...asked.map(({ touches_at }) => touches_at.getTime()));
  return { asked, logs: await readLogs(trx, [...vehicles].map(unidentifiedLogOf), since, 'read-sound') };
}

/** As far back as unidentified driving of a vehicle is shown. */
export const unclaimedFrom = (nowMs: number): number => nowMs - SHOWN_MS;

/** Unidentified driving of the vehicle, and what the desk asks this driver to take, that nobody has claimed. */
export async function unclaimedOf(
  trx: AccountTransaction,
  { directory }: Pick<Organisation, 'directory'>,
  driverId: number,
  hereId: number | null,
  { asked, logs }: Unidentified,
  nowMs: number,
): Promise<MyDuty['unclaimed']> {
  const isAsked = new Set(asked.map(({ record }) => record));
  const vehicles = new Set([...asked.map(({ vehicle_id }) => vehicle_id), ...(hereId === null ? [] : [hereId])]);
  const found: MyDuty['unclaimed'] = [];
  for (const vehicleId of vehicles) {
    const records = logs.get(unidentifiedLogOf(vehicleId))?.records() ?? [];
    for (const { event, id, status } of records) {
      const isShown = isAsked.has(id) || (vehicleId === hereId && event.at > unclaimedFrom(nowMs));
      const isOpen = status === 'active' && event.type === 1 && event.code === 3 && isShown;
      if (!isOpen || !isDutyEvent(event)) continue;
      const taken = takeable(records, id);
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
  if (found.length === 0) return found;
  const declined = new Set(await declinedBy(trx, driverId));
  return found.filter(({ record }) => !declined.has(record));
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
