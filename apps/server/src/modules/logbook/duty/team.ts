import type { MyDuty } from '@milepost/contract';
import { type DutyEvent, isDutyEvent, takeable } from '@milepost/eld';
import type { AccountTransaction } from '../../../db/database.ts';
import { readLogFrom } from '../days/read-log.ts';
import { iso } from '../days/shown.ts';
import type { EntryDraft } from '../draft.ts';
import { readOwner } from '../recorder/log-writer.ts';
import type { VehicleState } from '../recorder/vehicle-state.ts';
import { type DriverTerms, logOfDriver, readDriverTerms } from '../settings/driver-terms.ts';

/** Drivers ask and hand over at once; after this nobody has answered. */
const SHOWN_MS = 8 * 24 * 3_600_000;

const idOfLog = (log: string): number => Number(log.replace('driver:', ''));

/** The other driver of a vehicle: the co-driver of who drives, or who drives where one rides along. */
export function otherOf({ recorder, coDriver }: VehicleState, driverId: number): number | null {
  const own = logOfDriver(driverId);
  const other = [recorder.driver, coDriver].find(log => log !== null && log !== own);
  return other == null ? null : idOfLog(other);
}

/** Drivers who may ride along: with a log, a user to sign in as, and the same home terminal. */
export async function candidatesFor(trx: AccountTransaction, terms: DriverTerms): Promise<MyDuty['coDrivers']> {
  const all = await readDriverTerms(trx, null, terms.carrier);
  return all
    .filter(
      ({ archived, driverId, settings, terminal, userId }) =>
        settings.keepsLog &&
        !archived &&
        userId !== null &&
        driverId !== terms.driverId &&
        terminal.id === terms.terminal.id,
    )
    .map(({ driverId, name }) => ({ driverId: String(driverId), name }));
}

/** Asks, or with null asks nobody any more; answers why not, or null. */
export async function askCoDriver(
  trx: AccountTransaction,
  accountId: number,
  terms: DriverTerms,
  vehicleId: number | null,
  coDriverId: string | null,
  atMs: number,
): Promise<string | null> {
  await trx.deleteFrom('team_request').where('driver_id', '=', terms.driverId).execute();
  if (coDriverId === null) return null;
  if (vehicleId === null) return 'nobody-signed-in';
  if (!(await candidatesFor(trx, terms)).some(({ driverId }) => driverId === coDriverId)) return 'not-allowed';
  await trx
    .insertInto('team_request')
    .values({
      ...{ account_id: accountId, driver_id: terms.driverId, co_driver_id: Number(coDriverId) },
      ...{ vehicle_id: vehicleId, asked_at: new Date(atMs) },
    })
    .execute();
  return null;
}

/** The other driver's request ends; answers why not, or null. */
export async function declineCoDriver(
  trx: AccountTransaction,
  coDriverId: number,
  driverId: number,
): Promise<string | null> {
  const { numDeletedRows } = await trx
    .deleteFrom('team_request')
    .where('driver_id', '=', driverId)
    .where('co_driver_id', '=', coDriverId)
    .executeTakeFirst();
  return numDeletedRows > 0n ? null : 'nothing-asked';
}

/** Whether someone who drives this vehicle asks the driver to ride along. */
export async function isAskedInto(trx: AccountTransaction, driverId: number, vehicleId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('team_request')
    .select('driver_id')
    .where('co_driver_id', '=', driverId)
    .where('vehicle_id', '=', Number(vehicleId))
    .executeTakeFirst();
  return row !== undefined;
}

/** Whom a driver has asked, and who asks them, while the one who asks still drives that vehicle alone. */
export async function requestsOf(
  trx: AccountTransaction,
  driverId: number,
  nowMs: number,
): Promise<Pick<MyDuty, 'askedCoDriver' | 'teamRequests'>> {
  const rows = await trx
    .selectFrom('team_request')
    .innerJoin('recorder_fold', join =>
      join
        .onRef('recorder_fold.vehicle_id', '=', 'team_request.vehicle_id')
        .onRef('recorder_fold.driver_id', '=', 'team_request.driver_id'),
    )
    .innerJoin('driver', 'driver.id', 'team_request.driver_id')
    .innerJoin('driver as asked', 'asked.id', 'team_request.co_driver_id')
    .innerJoin('vehicle', 'vehicle.id', 'team_request.vehicle_id')
    .select(['team_request.driver_id', 'team_request.co_driver_id', 'team_request.vehicle_id'])
    .select(['driver.name as driver_name', 'asked.name as asked_name', 'vehicle.name as vehicle_name'])
    .where('recorder_fold.co_driver_id', 'is', null)
    .where('asked_at', '>', new Date(nowMs - SHOWN_MS))
    .where(eb => eb.or([eb('team_request.driver_id', '=', driverId), eb('team_request.co_driver_id', '=', driverId)]))
    .execute();
  return {
    askedCoDriver: rows.find(row => row.driver_id === driverId)?.asked_name ?? null,
    teamRequests: rows
      .filter(row => row.co_driver_id === driverId)
      .map(row => ({
        ...{ driverId: String(row.driver_id), name: row.driver_name },
        ...{ vehicleId: String(row.vehicle_id), deviceName: row.vehicle_name },
      })),
  };
}

/** Driving that co-drivers say was this driver's, and that this driver has not taken. */
export async function handedOverTo(
  trx: AccountTransaction,
  driverId: number,
  nowMs: number,
): Promise<MyDuty['handedOver']> {
  const own = logOfDriver(driverId);
  const rows = await trx
    .selectFrom('duty_entry')
    .select(['log', 'entry'])
    .where('action', '=', 'hand-over')
    .where('recorded_at', '>', new Date(nowMs - SHOWN_MS))
    .where('entry', 'like', `%"to":"${own}"%`)
    .execute();
  const found: MyDuty['handedOver'] = [];
  for (const [log, entries] of Map.groupBy(rows, row => row.log)) {
    const { home } = await readOwner(trx, log);
    const records = (await readLogFrom(trx, log, nowMs - 2 * SHOWN_MS, home, 'read-sound')).records();
    const other = await trx.selectFrom('driver').select('name').where('id', '=', idOfLog(log)).executeTakeFirst();
    const handed = new Set(entries.map(({ entry }) => (JSON.parse(entry) as { readonly record: string }).record));
    for (const record of handed) {
      const taken = takeable(records, record);
      if (!taken?.end) continue;
      found.push({
        ...{ driverId: String(idOfLog(log)), name: other?.name ?? '', record },
        ...{ from: iso(taken.event.at), to: iso(taken.until), place: taken.event.place },
      });
    }
  }
  return found;
}

/** The log of the co-driver at a moment; null if there was none. */
export const coDriverAt = async (trx: AccountTransaction, log: string, atMs: number): Promise<string | null> =>
  (await teamsOf(trx, log)).findLast(({ at }) => at <= atMs)?.coDriver ?? null;

/** Who was the co-driver from a moment on, and from when until when, in order; `to` is null for now. */
export async function coDriversSince(
  trx: AccountTransaction,
  log: string,
  fromMs: number,
): Promise<NonNullable<MyDuty['display']>['coDrivers']> {
  const teams = await teamsOf(trx, log);
  const spans = teams.flatMap(({ at, coDriver }, nth) => {
    const to = teams[nth + 1]?.at ?? null;
    return coDriver === null || (to !== null && to <= fromMs) ? [] : [{ id: idOfLog(coDriver), at, to }];
  });
  if (spans.length === 0) return [];
  const terms = new Map(
    (await readDriverTerms(trx, [...new Set(spans.map(({ id }) => id))])).map(one => [one.driverId, one]),
  );
  return spans.map(({ at, id, to }) => ({
    ...{ name: terms.get(id)?.name ?? '', driverId: terms.get(id)?.userName ?? '' },
    ...{ from: iso(at), to: to === null ? null : iso(to) },
  }));
}

/** By their time: an entry that came late is about an earlier one. */
async function teamsOf(
  trx: AccountTransaction,
  log: string,
): Promise<{ readonly at: number; readonly coDriver: string | null }[]> {
  const rows = await trx
    .selectFrom('duty_entry')
    .select('entry')
    .where('log', '=', log)
    .where('action', '=', 'team')
    .orderBy('position')
    .execute();
  const teams = rows.map(({ entry }) => JSON.parse(entry) as { readonly at: number; readonly coDriver: string | null });
  return teams.toSorted((a, b) => a.at - b.at);
}

/**
 * What a co-driver writes to take driving that was recorded under the other (Appendix A, 4.3.2.8.2(b)): the driving, the
 * status that ended it where their log has none at that moment, and that the driving has left the other log.
 *
 * @returns null where there is no such driving, or it is not over yet
 */
export async function takeOverDrafts(
  trx: AccountTransaction,
  terms: DriverTerms,
  { driverId, record, reason }: { readonly driverId: number; readonly record: string; readonly reason: string },
  by: string,
): Promise<readonly EntryDraft[] | null> {
  const [own, theirs] = [logOfDriver(terms.driverId), logOfDriver(driverId)];
  const { home } = await readOwner(trx, theirs);
  const other = await readLogFrom(trx, theirs, null, home);
  const taken = takeable(other.records(), record);
  const device = other.record(record)?.device as `vehicle:${string}` | undefined;
  if (!taken?.end || device === undefined) return null;
  const mine = await readLogFrom(trx, own, taken.event.at - SHOWN_MS, (await readOwner(trx, own)).home);
  const isEnded = mine
    .records()
    .some(({ event, status }) => status === 'active' && event.type === 1 && event.at === taken.until);
  const draftOf = ({ sequence: _sequence, check: _check, ...event }: DutyEvent) => ({
    ...event,
    ...{ origin: 'driver' as const, annotation: reason },
  });
  const ending: EntryDraft[] =
    isEnded || !isDutyEvent(taken.end.event)
      ? []
      : [{ action: 'record', log: own, device, by, event: { ...draftOf(taken.end.event), at: taken.until } }];
  return [
    ...ending,
    {
      ...{ action: 'take-over', log: own, device, by, from: { log: theirs, record } },
      ...{ event: draftOf(taken.event), until: taken.until },
    },
    { action: 'release', log: theirs, by, record, to: own },
  ];
}
