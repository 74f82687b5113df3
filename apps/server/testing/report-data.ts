import { randomUUID } from 'node:crypto';
import { audit } from '../src/modules/audit/audit.ts';
import type { Calendar } from '../src/modules/history/days/calendar.ts';
import type { EntryDraft } from '../src/modules/logbook/draft.ts';
import { writeEntries } from '../src/modules/logbook/write.ts';
import type { UserWithData } from './cross-account/account-data.ts';
import { geofenceOf, ruleOf } from './cross-account/account-rows.ts';
import { unidentifiedDrive } from './cross-account/kept-log.ts';
import type { TestHttpServer } from './http-server.ts';
import { event, OWNER } from './logbook.ts';

/** For an account that `userWithData` and `keptLog` have filled: something in each report, in the last week. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Whom it is about, and when: the beginning of a day that is over. */
interface Of {
  readonly me: UserWithData;
  readonly dayMs: number;
}

/** Of each report that isn't about what the vehicle itself did. */
export async function reportData(server: TestHttpServer, me: UserWithData, calendar: Calendar): Promise<void> {
  const of = { me, dayMs: calendar.startOf(calendar.dayOf(Date.now()) - 3) };
  await dutyLog(server, of);
  await unidentifiedDrive(server, me);
  await limitsAndVisits(server, of);
  await alerts(server, of);
  await dueThings(server, of, calendar);
  await commandSent(server, of);
  await auditEntries(server, of);
  await server.context.feed.settled();
}

/** 13 hours of driving, personal use without a note, and a rest that the driver changed. */
async function dutyLog({ context: { db } }: TestHttpServer, { dayMs, me }: Of): Promise<void> {
  const at = dayMs + 5 * HOUR;
  const head = { log: `driver:${me.driverId}`, device: `vehicle:${me.vehicleId}` as const, by: me.userId };
  const duty = (state: 'OFF' | 'D', hours: number): EntryDraft => ({
    ...{ ...head, action: 'record' },
    event: event(state, at + hours * HOUR, '', state === 'D' ? 'automatic' : 'driver'),
  });
  const personalUse: EntryDraft = {
    ...{ ...head, action: 'record' },
    event: { ...event('OFF', at + 14 * HOUR), type: 3, code: 1, miles: null, hours: null },
  };
  const drafts = [duty('OFF', -24), duty('D', 0), duty('OFF', 13), personalUse];
  const written = await writeEntries(db, me.accountId, drafts, () => OWNER, at + 15 * HOUR);
  if (!written.ok) throw new Error(written.refusal);
  const replaces = written.entries[0]?.id ?? '';
  const edit: EntryDraft = {
    ...{ ...head, action: 'edit', replaces },
    event: event('SB', at - 24 * HOUR, 'Slept in the berth'),
  };
  const edited = await writeEntries(db, me.accountId, [edit], () => OWNER, at + 16 * HOUR);
  if (!edited.ok) throw new Error(edited.refusal);
}

/** A dock where the vehicle was kept for three hours, half an hour of them for free, and what it may and burns. */
async function limitsAndVisits({ context: { db } }: TestHttpServer, { dayMs, me }: Of): Promise<void> {
  const { system } = db;
  await system
    .updateTable('vehicle')
    .set({ speed_limit_kmh: 50, fuel_type: 'diesel', type: 'truck' })
    .where('id', '=', Number(me.vehicleId))
    .execute();
  const { id } = await system
    .insertInto('geofence')
    .values({
      ...geofenceOf({ ...me, serial: 0 }),
      ...{ name: 'Dock 4', detention_free_minutes: 30, detention_per_hour: 60 },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [inside, out] = [new Date(dayMs + 8 * HOUR), new Date(dayMs + 11 * HOUR)];
  await system
    .insertInto('visit')
    .values({
      ...{ account_id: me.accountId, vehicle_id: Number(me.vehicleId), geofence_id: id, is_pass: false },
      ...{ in_at: inside, in_after: inside, in_before: inside, in_known_at: inside, in_confidence: 1 },
      ...{ in_lat: 41.9, in_lon: -87.68, out_at: out, out_after: out, out_before: out, out_known_at: out },
      ...{ out_confidence: 1, out_lat: 41.9, out_lon: -87.68 },
    })
    .execute();
}

/** An alert of a rule, and one for speeding; both were acknowledged. */
async function alerts({ context: { db } }: TestHttpServer, { dayMs, me }: Of): Promise<void> {
  const trigger = JSON.stringify({ kind: 'temperature', min: null, max: 5, minutes: 0 });
  const { id: rule_id } = await db.system
    .insertInto('rule')
    .values({ ...ruleOf({ ...me, serial: 0 }), ...{ name: 'Too warm', trigger } })
    .returning('id')
    .executeTakeFirstOrThrow();
  const at = (hours: number) => new Date(dayMs + hours * HOUR);
  const alert = {
    ...{ account_id: me.accountId, vehicle_id: Number(me.vehicleId), driver_id: Number(me.driverId), rule_id },
    ...{ severity: 'warning', opened_at: at(9), updated_at: at(9), closed_at: at(10), lat: 41.9, lon: -87.68 },
    ...{ acknowledged_at: at(9.5), acknowledged_by: me.userId, note: 'Called the driver.' },
    rule: JSON.stringify({ name: 'Too warm', action: null, geofence: null }) as never,
  };
  await db.system
    .insertInto('alert')
    .values([
      { ...alert, id: randomUUID(), kind: 'rule', figures: JSON.stringify({ temperature: 9.5 }) as never },
      { ...alert, id: randomUUID(), kind: 'overspeed', figures: JSON.stringify({ speed: 30 }) as never },
    ])
    .execute();
}

/** A document that expired, and a task that was reached late. */
async function dueThings({ context: { db } }: TestHttpServer, { dayMs, me }: Of, calendar: Calendar): Promise<void> {
  await db.system
    .updateTable('document')
    .set({ expires_on: calendar.dateOf(calendar.dayOf(dayMs)) })
    .where('id', '=', Number(me.documentId))
    .execute();
  await db.system
    .updateTable('task')
    .set({ due_to: new Date(dayMs + 15 * HOUR), created_at: new Date(dayMs), ref: 'PO 4471' })
    .where('id', '=', Number(me.pastTaskId))
    .execute();
  await db.system
    .insertInto('task_step')
    .values({
      ...{ account_id: me.accountId, task_id: Number(me.pastTaskId), report_id: randomUUID(), state: 'arrived' },
      ...{ at: new Date(dayMs + 16 * HOUR), done_by: 'driver', user_id: me.userId },
    })
    .execute();
}

async function commandSent({ context: { db } }: TestHttpServer, { dayMs, me }: Of): Promise<void> {
  const created_at = new Date(dayMs + 12 * HOUR);
  await db.system
    .insertInto('command')
    .values({
      ...{ id: randomUUID(), account_id: me.accountId, vehicle_id: Number(me.vehicleId), imei: me.imei },
      ...{ action: 'engineStop', category: 'control', params: '{}', mode: 'immediate', reason: 'Stolen' },
      ...{ state: 'acknowledged', created_at, expires_at: created_at, created_by: me.userId, sent: 1, steps: '[]' },
      ...{ created_by_name: me.marker, grant_hash: Buffer.alloc(32, 'first') },
      ...{ needs_second: true, second_by_name: 'Bea', second_grant_hash: Buffer.alloc(32, 'second') },
    } as never)
    .execute();
}

async function auditEntries({ context: { db } }: TestHttpServer, { me }: Of): Promise<void> {
  const author = { accountId: me.accountId, userId: me.userId, userName: me.marker, via: 'session', address: '::1' };
  await db.asAccount(me.accountId, trx =>
    audit(
      trx,
      author as never,
      { action: 'session.opened' },
      { action: 'vehicle.changed', target: { id: Number(me.vehicleId), name: '=HYPERLINK("http://example.com")' } },
    ),
  );
}
