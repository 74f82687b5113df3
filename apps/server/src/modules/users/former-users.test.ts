import { randomUUID } from 'node:crypto';
import { createVehicle, deleteVehicle, listReports, ROUTES, type Route, runReport } from '@milepost/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type UserWithData, userWithData } from '../../../testing/cross-account/account-data.ts';
import type { RequestParts } from '../../../testing/cross-account/probe.ts';
import { probeOf } from '../../../testing/cross-account/probes.ts';
import { send } from '../../../testing/cross-account/send.ts';
import { fillDesk } from '../../../testing/full-account/desk.ts';
import { startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';

/** What a deleted user did, and what happened with a deleted driver or vehicle, stays told, with the name. */

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
});
afterAll(() => server.close());

/** Keys that forget whom they named when that row is deleted, and why nothing is lost by it. */
const FORGETS: Readonly<Record<string, string>> = {
  'driver.user_id': 'who the driver signs in as, now',
  'vehicle.usual_driver_id': 'who drives it, now',
  'rule.owner_id': 'who gets a private rule, now',
  'webhook.created_by': 'no page says it',
  'command.created_by': 'the name is beside it',
  'command.second_by': 'the name is beside it',
};

/** Columns that say who did something. */
const DONE_BY = [
  ['account_setting', 'changed_by'],
  ['alert', 'acknowledged_by'],
  ['alert_mail', 'user_id'],
  ['coaching_note', 'created_by'],
  ['control_rule', 'changed_by'],
  ['document', 'created_by'],
  ['geofence', 'created_by'],
  ['notification_setting', 'changed_by'],
  ['performance_dispute', 'answered_by'],
  ['push_outcome', 'user_id'],
  ['rule', 'created_by'],
  ['rule_mute', 'begun_by'],
  ['saved_view', 'created_by'],
  ['task', 'assigned_by'],
  ['task_step', 'user_id'],
  ['vehicle_mute', 'begun_by'],
] as const;

it('forgets whom a row names only where that says nothing about the past', async () => {
  const { rows } = await sql<{ key: string }>`
    select conrelid::regclass || '.' || attname as key
    from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any (confdelsetcols)
    where contype = 'f' and confdeltype = 'n'
      and confrelid in ('app_user'::regclass, 'driver'::regclass, 'vehicle'::regclass)
    order by 1`.execute(server.context.db.system);
  expect(rows.map(({ key }) => key)).toEqual(Object.keys(FORGETS).toSorted());
});

/** Routes that only read, as the owner of the account calls them about its own data. */
async function calls(me: UserWithData): Promise<(readonly [string, Route, RequestParts])[]> {
  const readers = (Object.entries(ROUTES) as [string, Route][]).filter(
    ([name, { access, method, responseType }]) =>
      method === 'GET' && access !== 'public' && !responseType && probeOf(name).madeBy === undefined,
  );
  const made: (readonly [string, Route, RequestParts])[] = [];
  for (const [name, route] of readers) {
    const probe = probeOf(name);
    if (probe.usesUp) continue;
    const parts = await probe.call(me, me, server);
    if (parts.token !== undefined) continue;
    made.push([name, route, parts]);
  }
  return made;
}

async function answers(me: UserWithData, asked: Awaited<ReturnType<typeof calls>>): Promise<Map<string, string>> {
  const told = new Map<string, string>();
  for (const [name, route, parts] of asked) {
    const { status, text } = await send(server, route, parts, me.token);
    if (status === (route.status ?? 200)) told.set(name, text);
  }
  return told;
}

/** The sections whose reports say who did what; the others are about distances and places. */
const SECTIONS: ReadonlySet<string> = new Set(['alerts', 'work', 'hours', 'admin']);

/** Their reports over the days in which these accounts have data. */
async function reports(me: UserWithData): Promise<(readonly [string, Route, RequestParts])[]> {
  const { body } = await send(server, listReports, { query: { language: 'en-US' } }, me.token);
  const query = { from: '2026-11-01', to: new Date().toISOString().slice(0, 10) };
  const known = body as unknown as readonly { readonly key: string; readonly section: string }[];
  const about = known.filter(({ section }) => SECTIONS.has(section));
  return about.map(({ key }) => [`report ${key}`, runReport, { params: { key }, query }]);
}

/** Only tells of people who are there. */
const OF_USERS: ReadonlySet<string> = new Set(['readMyUsers', 'readMyPrivacy']);
/** Told beside evidence of a week's driving, which these accounts lack; by the same function as a coaching note. */
const UNTOLD: ReadonlySet<string> = new Set(['performance_dispute.answered_by']);

it('[R6.05] every page and report still names a deleted user, driver or vehicle', async () => {
  const me = await userWithData(server);
  await fillDesk(server, me);
  const { system } = server.context.db;
  const account = { account_id: me.accountId };
  await addRest(me);
  const named = new Map<string, string>();
  const users: string[] = [];
  for (const [table, column] of DONE_BY) {
    const name = `Done By ${table} ${column}`;
    const { id } = await system
      .insertInto('app_user')
      .values({ ...account, user_name: `${table}.${column}`, display_name: name, role: 'admin' })
      .returning('id')
      .executeTakeFirstOrThrow();
    named.set(`${table}.${column}`, name);
    users.push(id);
    const { numAffectedRows } = await sql`
      update ${sql.table(table)} set ${sql.ref(column)} = ${id} where account_id = ${me.accountId}`.execute(system);
    expect([table, Number(numAffectedRows) > 0]).toEqual([table, true]);
  }
  const driver = await system
    .insertInto('driver')
    .values({ ...account, name: 'Driver Who Left' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { body } = await send(
    server,
    createVehicle,
    { body: { imei: testImei(420_420), deviceName: 'Truck That Was Sold' } },
    me.token,
  );
  const vehicleId = (body as unknown as { readonly id: string }).id;
  const over = system.updateTable('task').where('id', '=', Number(me.pastTaskId));
  await over
    .set({ driver_id: driver.id, vehicle_id: Number(vehicleId), over_at: new Date(Date.now() - 3_600_000) })
    .execute();
  const alerts = system.updateTable('alert').where('account_id', '=', me.accountId);
  await alerts.set({ driver_id: driver.id }).execute();
  const inspected = system.updateTable('inspection_report').where('account_id', '=', me.accountId);
  await inspected.set({ vehicle_id: Number(vehicleId), reported_at: new Date() }).execute();
  named.set('task.driver_id', 'Driver Who Left').set('task.vehicle_id', 'Truck That Was Sold');
  await server.context.feed.settled();
  await Promise.all([server.organisation.roster.settled(), server.organisation.directory.settled()]);

  const asked = [...(await calls(me)), ...(await reports(me))];
  const before = await answers(me, asked);
  await system.deleteFrom('app_user').where('id', 'in', users).execute();
  await system.deleteFrom('driver').where('id', '=', driver.id).execute();
  await send(server, deleteVehicle, { params: { id: vehicleId } }, me.token);
  await server.context.feed.settled();
  await Promise.all([server.organisation.roster.settled(), server.organisation.directory.settled()]);
  const after = await answers(me, asked);

  for (const [of, name] of named) {
    const isAboutPast = (route: string): boolean =>
      !OF_USERS.has(route) && (of.startsWith('task.driver') || of.startsWith('task.vehicle') ? PAST.has(route) : true);
    const telling = [...before].filter(([route, text]) => isAboutPast(route) && text.includes(name));
    if (!UNTOLD.has(of)) expect([of, telling.length > 0]).toEqual([of, true]);
    const silent = telling.filter(([route]) => !after.get(route)?.includes(name)).map(([route]) => route);
    expect([of, silent]).toEqual([of, []]);
  }
  expect(after.get('report alerts-response')).toContain('Done By alert acknowledged_by');
}, 180_000);

/** What tells of a driver or a vehicle in the past; the rest is about those that are there. */
const PAST: ReadonlySet<string> = new Set(['listTasks', 'listAlerts', 'listInspections', 'report alerts-response']);

/** Rows that the account lacks. */
async function addRest(me: UserWithData): Promise<void> {
  const { system } = server.context.db;
  const account = { account_id: me.accountId };
  await system
    .insertInto('rule_mute')
    .values({ ...account, kind: 'sos' } as never)
    .execute();
  await system
    .insertInto('vehicle_mute')
    .values({ ...account, vehicle_id: Number(me.vehicleId) } as never)
    .execute();
  await system
    .insertInto('task_step')
    .values({
      ...{ ...account, task_id: Number(me.taskId), report_id: randomUUID(), state: 'assigned', done_by: 'desk' },
      ...{ at: new Date(), user_id: null },
    })
    .execute();
  await sql`
    insert into alert_mail (account_id, alert_id, user_id, reason, severity, noted_at, sent_at)
    select account_id, id, ${me.userId}, 'opened', 'critical', now(), now() from alert
    where account_id = ${me.accountId}`.execute(system);
  await sql`
    insert into push_outcome (account_id, alert_id, user_id, reason, outcome, noted_at, ended_at)
    select account_id, id, ${me.userId}, 'opened', 'sent', now(), now() from alert
    where account_id = ${me.accountId}`.execute(system);
  await sql`update coaching_note set driver_id = ${Number(me.driverId)} where account_id = ${me.accountId}`.execute(
    system,
  );
}
