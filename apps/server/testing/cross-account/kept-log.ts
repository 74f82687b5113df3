import { createHash, randomUUID } from 'node:crypto';
import type { DutyEvent, LogEntry } from '@milepost/eld';
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

/** A sign-in of the driver to their vehicle that waits to be recorded; nothing if there is no such driver. */
export async function waitingSignIn(server: TestHttpServer, of: UserWithData): Promise<void> {
  if ((await keptLog(server, of)) === UNKNOWN) return;
  const row = { account_id: of.accountId, driver_id: Number(of.driverId), vehicle_id: Number(of.vehicleId) };
  await server.context.db.system
    .insertInto('duty_waiting')
    .values({ ...row, since: new Date('2026-02-05T12:00:00Z'), broken_log: null })
    .onConflict(conflict => conflict.column('driver_id').doNothing())
    .execute();
}

/**
 * A change of the driver's certified log that waits for the driver's answer.
 *
 * @returns its ID; an unknown one if there is no such driver
 */
export async function proposedChange(server: TestHttpServer, of: UserWithData): Promise<string> {
  const replaces = await keptLog(server, of);
  if (replaces === UNKNOWN) return UNKNOWN;
  const { db } = server.context;
  const row = await db.system
    .selectFrom('duty_entry')
    .select('entry')
    .where('account_id', '=', of.accountId)
    .where('id', '=', replaces)
    .executeTakeFirstOrThrow();
  const old = JSON.parse(row.entry) as Extract<LogEntry, { readonly action: 'record' }>;
  const draft = {
    ...{
      action: 'propose' as const,
      log: old.log,
      device: `vehicle:${of.vehicleId}` as const,
      by: of.userId,
      replaces,
    },
    event: { ...(old.event as DutyEvent), ...{ code: 1, origin: 'other-user' as const, annotation: of.marker } },
  };
  const written = await writeEntries(db, of.accountId, [draft], () => OWNER, Date.now());
  if (!written.ok) throw new Error(written.refusal);
  return written.entries.at(-1)?.id ?? UNKNOWN;
}

/**
 * An hour of unidentified driving of the vehicle, which nobody has claimed, and a malfunction.
 *
 * @returns the ID of the record that begins it; an unknown one if there is no such vehicle
 */
export async function unidentifiedDrive(
  { context: { db } }: TestHttpServer,
  of: UserWithData,
  agoMs = 7_200_000,
): Promise<string> {
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
  const at = Math.floor((Date.now() - agoMs) / 1000) * 1000;
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

/** The user is the driver, with all that an output file needs. */
export async function isOwnLog({ context: { db, feed } }: TestHttpServer, of: UserWithData): Promise<void> {
  const id = Number(of.driverId);
  await db.system.updateTable('driver').set({ user_id: null }).where('user_id', '=', of.userId).execute();
  const change = { user_id: of.userId, licence_number: `R234-${id}`, licence_region: 'IL' };
  await db.system.updateTable('driver').set(change).where('id', '=', id).execute();
  const carrier = {
    ...{ name: 'Cobalt Freight', usdot_number: '1234567', rule_set: 'US_PROPERTY_70_8' },
    ...{ personal_use: false, yard_moves: false, personal_use_limit_km: null },
    terminals: JSON.stringify([
      { id: 'elgin', name: 'Elgin', timeZone: 'America/Chicago', startOfDay: '00:00', address: null },
    ]),
  };
  await db.system
    .insertInto('carrier')
    .values({ ...carrier, account_id: of.accountId })
    .onConflict(conflict => conflict.column('account_id').doUpdateSet(carrier))
    .execute();
  await feed.settled();
}

/**
 * An output file that was made of the driver’s log.
 *
 * @returns its ID; an unknown one if there is no such driver
 */
export async function keptFile(server: TestHttpServer, of: UserWithData): Promise<string> {
  if ((await keptLog(server, of)) === UNKNOWN) return UNKNOWN;
  const { db } = server.context;
  const known = await db.system
    .selectFrom('log_export')
    .select('id')
    .where('driver_id', '=', Number(of.driverId))
    .executeTakeFirst();
  if (known) return known.id;
  const { id } = await db.system
    .insertInto('log_export')
    .values({
      ...{ account_id: of.accountId, driver_id: Number(of.driverId), driver_name: of.marker, kind: 'output-file' },
      ...{ file_name: 'file.csv', from_date: '2026-02-01', to_date: '2026-02-08', comment: '', made_by: of.userId },
      ...{ made_at: new Date(), made_by_name: of.marker, at_roadside: true, sha256: '0'.repeat(64) },
      content: of.marker,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * The same file, handed over with a QR code.
 *
 * @returns the token that is in the code
 */
export async function handedFile(server: TestHttpServer, of: UserWithData): Promise<string> {
  const token = randomUUID();
  await keptLog(server, of);
  await server.context.db.system
    .insertInto('log_export')
    .values({
      ...{ account_id: of.accountId, driver_id: Number(of.driverId), driver_name: of.marker, kind: 'output-file' },
      ...{ file_name: 'file.csv', from_date: '2026-02-01', to_date: '2026-02-08', comment: '', made_by: of.userId },
      ...{ made_at: new Date(), made_by_name: of.marker, at_roadside: true, sha256: '0'.repeat(64) },
      ...{ content: of.marker, token_hash: createHash('sha256').update(token).digest() },
      token_until: new Date(Date.now() + 60_000),
    })
    .execute();
  return token;
}

/**
 * The driver drove that far on a day of last week, with an alert of each of these kinds.
 *
 * @returns the IDs of the alerts
 */
export async function drovenEvents(
  { context: { db, feed }, figures }: TestHttpServer,
  of: UserWithData,
  km: number,
  kinds: readonly string[],
): Promise<string[]> {
  const [driver_id, vehicle_id] = [Number(of.driverId), Number(of.vehicleId)];
  const head = { account_id: of.accountId, vehicle_id };
  const calendar = figures.calendar(of.accountId);
  const day = calendar.dayOf(Date.now()) - 5;
  const [from, to] = [calendar.startOf(day), calendar.startOf(day + 1)];
  const through = { from_at: new Date(from), to_at: new Date(to), until_at: new Date(to), through_at: new Date(to) };
  const driver = await db.system.selectFrom('driver').select('id').where('id', '=', driver_id).executeTakeFirst();
  if (!driver) return [];
  const known = await db.system
    .selectFrom('alert')
    .select('id')
    .where('driver_id', '=', driver_id)
    .where('kind', 'in', ['overspeed', 'harshDriving'])
    .execute();
  if (known.length > 0) return known.map(({ id }) => id);
  const { system } = db;
  await system.updateTable('driver').set({ user_id: null }).where('user_id', '=', of.userId).execute();
  await system.updateTable('driver').set({ user_id: of.userId }).where('id', '=', driver_id).execute();
  await system.updateTable('vehicle').set({ usual_driver_id: null }).where('usual_driver_id', '=', driver_id).execute();
  await system.updateTable('vehicle').set({ usual_driver_id: driver_id }).where('id', '=', vehicle_id).execute();
  await db.system
    .insertInto('trip_day')
    .values({ ...head, ...through, day: calendar.dateOf(day), open: false, count: null })
    .execute();
  await db.system
    .insertInto('trip_part')
    .values({
      ...{ ...head, day: calendar.dateOf(day), from_at: new Date(from), to_at: new Date(to), kind: 'trip' },
      ...{ millimetres: km * 1e6, moving_ms: 3_600_000, idling_ms: 0, stopped_ms: 0, max_speed: 25, fixes: 10 },
      ...{ start_at: null, start_lat: null, start_lon: null, end_at: null, end_lat: null, end_lon: null },
      ...{ odometer: null, fuel: null, cards: [] },
    })
    .execute();
  const ids = kinds.map(() => randomUUID());
  const at = new Date(from + 12 * 3_600_000);
  const alert = { ...head, driver_id, severity: 'warning', updated_at: at, closed_at: at };
  const rows = kinds.map((kind, i) => ({
    ...{ ...alert, id: ids[i] ?? '', kind, opened_at: new Date(at.getTime() + i * 60_000) },
  }));
  if (rows.length > 0) await db.system.insertInto('alert').values(rows).execute();
  await feed.settled();
  return ids;
}

/**
 * A coaching note for the driver.
 *
 * @returns its ID; an unknown one if there is no such driver
 */
export async function coachingNote({ context: { db } }: TestHttpServer, of: UserWithData): Promise<string> {
  const driverId = Number(of.driverId);
  const driver = await db.system.selectFrom('driver').select('id').where('id', '=', driverId).executeTakeFirst();
  if (!driver) return UNKNOWN;
  const { id } = await db.system
    .insertInto('coaching_note')
    .values({
      ...{ account_id: of.accountId, driver_id: driverId, note: of.marker, due_on: '2026-12-10' },
      ...{ created_by: of.userId, created_at: new Date(), done_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Something that counts against the driver: its ID; an unknown one if there is no such driver. */
export async function evidenceOf(server: TestHttpServer, of: UserWithData): Promise<string> {
  const [alert = 'unknown'] = await drovenEvents(server, of, 500, ['overspeed']);
  return `alert:${alert}`;
}

/** The same, disputed by the driver. */
export async function disputed(server: TestHttpServer, of: UserWithData): Promise<string> {
  const evidence = await evidenceOf(server, of);
  if (evidence === 'alert:unknown') return evidence;
  await server.context.db.system
    .insertInto('performance_dispute')
    .values({
      ...{ account_id: of.accountId, driver_id: Number(of.driverId), evidence },
      ...{ reply: of.marker, disputed_at: new Date(), answered_by: null, answered_at: null },
    })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  return evidence;
}

/**
 * A report of a defect of the vehicle, with signature and all.
 *
 * @returns its ID; an unknown one if there is no such vehicle
 */
export async function inspectionReport({ context: { db } }: TestHttpServer, of: UserWithData): Promise<string> {
  const vehicleId = Number(of.vehicleId);
  const vehicle = await db.system.selectFrom('vehicle').select('id').where('id', '=', vehicleId).executeTakeFirst();
  if (!vehicle) return UNKNOWN;
  const id = randomUUID();
  const at = Date.now() - 3_600_000;
  const defect = { part: 'tires', unit: 'vehicle', what: of.marker, affectsSafety: true };
  const report = {
    ...{ id, vehicle: { powerUnit: '7', vin: '' }, trailers: '', defects: [defect] },
    reportedBy: { by: of.userId, name: of.marker, at },
  };
  await db.system
    .insertInto('inspection_report')
    .values({
      ...{ account_id: of.accountId, id, vehicle_id: vehicleId, driver_id: Number(of.driverId) },
      ...{ inspected: 'post-trip', report: JSON.stringify(report), state: 'reported', reported_at: new Date(at) },
    })
    .execute();
  return id;
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

/**
 * A photo of a defect of the vehicle.
 *
 * @returns its ID; an unknown one if there is no such vehicle
 */
export async function inspectionPhoto(server: TestHttpServer, of: UserWithData): Promise<string> {
  if ((await keptLog(server, of)) === UNKNOWN) return UNKNOWN;
  const id = randomUUID();
  await server.context.db.system
    .insertInto('inspection_photo')
    .values({
      ...{ account_id: of.accountId, id, vehicle_id: Number(of.vehicleId), driver_id: Number(of.driverId) },
      content: Buffer.from(of.marker),
    })
    .execute();
  return id;
}

/**
 * A phone of the driver, enrolled.
 *
 * @returns its ID; an unknown one if there is no such driver
 */
export async function enrolledPhone(server: TestHttpServer, of: UserWithData): Promise<string> {
  if ((await keptLog(server, of)) === UNKNOWN) return UNKNOWN;
  const id = randomUUID();
  await server.context.db.system
    .insertInto('phone')
    .values({
      ...{ account_id: of.accountId, id, driver_id: Number(of.driverId), name: of.marker, public_key: '{}' },
      ...{ after_position: '-1', after_hash: '0'.repeat(64), enrolled_at: new Date(), ended_at: null },
    })
    .execute();
  return id;
}
