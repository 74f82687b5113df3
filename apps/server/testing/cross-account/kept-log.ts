import type { LogEntry } from '@milepost/eld';
import type { EntryDraft } from '../../src/modules/logbook/draft.ts';
import type { LogOwner } from '../../src/modules/logbook/write.ts';
import { writeEntries } from '../../src/modules/logbook/write.ts';
import type { TestHttpServer } from '../http-server.ts';
import { event } from '../logbook.ts';
import type { UserWithData } from './account-data.ts';

const OWNER: LogOwner = { home: { timeZone: 'America/Chicago', startOfDay: 0 }, userName: 'arivera' };
const DATE = '2026-02-03';

/**
 * Has the driver keep a log, in which the day of their record (`account-data.ts`) is certified.
 *
 * @returns the ID of that record; an unknown one if there is no such driver
 */
export async function keptLog({ context: { db } }: TestHttpServer, of: UserWithData): Promise<string> {
  const driverId = Number(of.driverId);
  const { accountId } = of;
  const driver = await db.system.selectFrom('driver').select('id').where('id', '=', driverId).executeTakeFirst();
  if (!driver) return UNKNOWN;
  await db.system
    .insertInto('log_setting')
    .values({ account_id: accountId, driver_id: driverId, keeps_log: true })
    .onConflict(conflict => conflict.column('driver_id').doUpdateSet({ keeps_log: true }))
    .execute();
  const log = `driver:${driverId}`;
  const rows = await db.system
    .selectFrom('duty_entry')
    .select('entry')
    .where('account_id', '=', accountId)
    .where('log', '=', log)
    .orderBy('position')
    .execute();
  const entries = rows.map(({ entry }) => JSON.parse(entry) as LogEntry);
  if (!entries.some(({ action }) => action === 'certify')) {
    const now = Date.parse('2026-02-05T12:00:00Z');
    const event = {
      ...{ type: 4 as const, code: 1, at: now, zoneOffset: '06', date: DATE },
      ...{ vehicle: { powerUnit: '7', vin: '' }, trailers: '', shippingDocument: of.marker },
    };
    const device = `vehicle:${of.vehicleId}` as const;
    const draft = { action: 'certify' as const, log, device, by: of.userId, event };
    const written = await writeEntries(db, accountId, [draft], () => OWNER, now);
    if (!written.ok) throw new Error(written.refusal);
  }
  return entries[0]?.id ?? UNKNOWN;
}

/**
 * An hour of unidentified driving of the vehicle, which nobody has claimed, and a malfunction.
 *
 * @returns the ID of the record that begins it; an unknown one if there is no such vehicle
 */
export async function unidentifiedDrive({ context: { db } }: TestHttpServer, of: UserWithData): Promise<string> {
  const log = `unidentified:${of.vehicleId}`;
  const device = `vehicle:${of.vehicleId}` as const;
  const vehicle = await db.system
    .selectFrom('vehicle')
    .select('id')
    .where('id', '=', Number(of.vehicleId))
    .executeTakeFirst();
  if (!vehicle) return UNKNOWN;
  const rows = await db.system
    .selectFrom('duty_entry')
    .select('entry')
    .where('account_id', '=', of.accountId)
    .where('log', '=', log)
    .where('action', '=', 'record')
    .orderBy('position')
    .execute();
  const [first] = rows.map(({ entry }) => JSON.parse(entry) as LogEntry);
  if (first) return first.id;
  const at = Math.floor(Date.now() / 1000 - 7200) * 1000;
  const head = { action: 'record', log, device, by: 'eld' } as const;
  const faulted = {
    ...{ type: 7 as const, code: 1, faultCode: 'P' as const, at, totalMiles: null, totalHours: null },
    ...{ vehicle: { powerUnit: '7', vin: '' }, trailers: '', shippingDocument: of.marker },
  };
  const drafts: EntryDraft[] = [
    { ...head, event: { ...event('D', at, '', 'automatic'), place: of.marker } },
    { ...head, event: event('ON', at + 3_600_000, '', 'automatic') },
    { ...head, event: faulted },
  ];
  const written = await writeEntries(db, of.accountId, drafts, () => OWNER, at + 3_600_000);
  if (!written.ok) throw new Error(written.refusal);
  return written.entries[0]?.id ?? UNKNOWN;
}

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** Has the caller be the driver of their own data, with a log. */
export async function ownLog({ context: { db, feed } }: TestHttpServer, caller: UserWithData): Promise<void> {
  const driverId = Number(caller.driverId);
  await db.system.updateTable('driver').set({ user_id: caller.userId }).where('id', '=', driverId).execute();
  await db.system
    .insertInto('log_setting')
    .values({ account_id: caller.accountId, driver_id: driverId, keeps_log: true })
    .onConflict(conflict => conflict.column('driver_id').doUpdateSet({ keeps_log: true }))
    .execute();
  await feed.settled();
}
