import { DUTY_CODES, isDutyEvent, type LogRecord, type RecordLog } from '@milepost/eld';
import { sql } from 'kysely';
import type { AccountTransaction } from '../../../db/database.ts';
import { headsOf, readLogs } from '../days/read-log.ts';
import { unidentifiedLogOf } from '../settings/driver-terms.ts';

/** Driving while nobody was signed in; times in epoch milliseconds. */
export interface UnidentifiedDrive {
  readonly vehicleId: number;
  /** The record that begins the driving. */
  readonly record: string;
  readonly from: number;
  /** Null while it lasts. */
  readonly to: number | null;
  readonly miles: number | null;
  readonly fromPlace: string | null;
  readonly toPlace: string | null;
  /** The carrier’s remark, or empty. */
  readonly note: string;
  /** The driver who has taken it over. */
  readonly takenBy: number | null;
}

const KEPT_MS = 184 * 24 * 3_600_000;

export interface UnidentifiedDrives {
  /** The unidentified driving of these vehicles in six months, newest first. */
  of(
    trx: AccountTransaction,
    accountId: number,
    vehicleIds: readonly number[],
    now: number,
  ): Promise<UnidentifiedDrive[]>;
}

/** Reads unidentified driving; what a vehicle’s log says is remembered until it grows. */
export function createUnidentifiedDrives(): UnidentifiedDrives {
  const known = new Map<string, { readonly position: number; readonly drives: readonly UnidentifiedDrive[] }>();
  return {
    of: async (trx, accountId, vehicleIds, now) => {
      const heads = await headsOf(trx, vehicleIds.map(unidentifiedLogOf));
      const keyOf = (log: string): string => `${accountId} ${log}`;
      if (known.size > REMEMBERED) known.clear();
      const wanted = [...heads.keys()].filter(log => known.get(keyOf(log))?.position !== heads.get(log));
      for (const [log, read] of await readLogs(trx, wanted, now - KEPT_MS, 'read-sound')) {
        const drives = drivesOf(read, Number(log.replace('unidentified:', '')));
        known.set(keyOf(log), { position: heads.get(log) ?? -1, drives });
      }
      return [...heads.keys()]
        .flatMap(log => known.get(keyOf(log))?.drives ?? [])
        .filter(({ from }) => from >= now - KEPT_MS)
        .sort((a, b) => b.from - a.from);
    },
  };
}

const REMEMBERED = 20_000;

/** The driving in a vehicle’s log of unidentified driving, claimed or not. */
function drivesOf(log: RecordLog, vehicleId: number): UnidentifiedDrive[] {
  const records = log.records();
  const statuses = records.filter(({ event }) => event.type === 1).sort((a, b) => a.event.at - b.event.at);
  return statuses.flatMap((record, i): UnidentifiedDrive[] => {
    if (record.event.code !== DUTY_CODES.D) return [];
    const end = statuses.slice(i + 1).find(({ event }) => event.at > record.event.at);
    return [
      {
        vehicleId,
        record: record.id,
        from: record.event.at,
        to: end?.event.at ?? null,
        miles: milesOf(records, record, end),
        fromPlace: placeOf(record),
        toPlace: end ? placeOf(end) : null,
        note: record.annotatedBy === null ? '' : record.annotation,
        takenBy: record.releasedTo === null ? null : Number(record.releasedTo.replace('driver:', '')),
      },
    ];
  });
}

function milesOf(records: readonly LogRecord[], start: LogRecord, end: LogRecord | undefined): number | null {
  let [last, miles]: [number | null, number | null] = [null, null];
  const inside = records
    .filter(({ event }) => event.at >= start.event.at && event.at <= (end?.event.at ?? Number.POSITIVE_INFINITY))
    .sort((a, b) => a.event.at - b.event.at);
  for (const { event } of inside) {
    if (!isDutyEvent(event) || event.miles === null) continue;
    // Fewer than before: the engine was started again.
    if (last !== null) miles = (miles ?? 0) + (event.miles >= last ? event.miles - last : event.miles);
    last = event.miles;
  }
  return miles;
}

const placeOf = ({ event }: LogRecord): string | null =>
  isDutyEvent(event) ? (event.placeByDriver ?? event.place) : null;

/** The drivers who have said of these records that the driving was not theirs, by record. */
export async function declinesOf(
  trx: AccountTransaction,
  since: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const rows = await trx
    .selectFrom('duty_entry')
    .select(['log', 'entry'])
    .where('action', '=', 'decline')
    .where('recorded_at', '>=', new Date(since))
    .execute();
  const found = new Map<string, number[]>();
  for (const { log, entry } of rows) {
    const { from } = JSON.parse(entry) as { readonly from: { readonly record: string } };
    found.set(from.record, [...(found.get(from.record) ?? []), Number(log.replace('driver:', ''))]);
  }
  return found;
}

/** The drivers whose records stand nearest to these in their vehicle’s chain, the nearest first, by record. */
export async function neighborsOf(
  trx: AccountTransaction,
  records: readonly string[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  if (records.length === 0) return new Map();
  const { rows } = await sql<{ record: string; log: string }>`
    select own.id::text as record, other.log
    from duty_entry own
    cross join lateral (
      select log, min(abs(device_position - own.device_position)) as distance
      from duty_entry near
      where near.device = own.device and near.log like 'driver:%'
        and near.device_position between own.device_position - ${NEAR} and own.device_position + ${NEAR}
      group by log
    ) other
    where own.id = any(${records}::uuid[])
    order by own.id, other.distance`.execute(trx);
  const found = new Map<string, number[]>();
  for (const { record, log } of rows) {
    found.set(record, [...(found.get(record) ?? []), Number(log.replace('driver:', ''))]);
  }
  return found;
}

/** About two days of a busy vehicle’s records. */
const NEAR = 80;
