import { randomUUID } from 'node:crypto';
import type { DvirReport } from '@milepost/eld';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sosAlert } from '../../../testing/alerts.ts';
import { type SignedIn, signedIn, startHttpServer, type TestHttpServer } from '../../../testing/http-server.ts';
import { testImei } from '../../../testing/imei.ts';
import { callerOf } from '../../../testing/organisation.ts';
import { testPicture } from '../../../testing/picture.ts';
import { exported, imported } from '../../../testing/transfers.ts';
import { TABLES } from './tables.ts';

let server: TestHttpServer;
beforeAll(async () => {
  server = await startHttpServer();
  server.context.jobs.start();
});
afterAll(() => server.close());

const DAY = new Date('2026-11-19T14:00:00Z');
const LATER = new Date('2026-11-19T15:30:00Z');

/** Tables of a bundle that `data-transfer.test.ts` fills: what is checked or counted when it comes. */
const ELSEWHERE = ['document', 'image', 'tenant', 'custom_role', 'duty_entry', 'duty_root', 'position'];

/** An account with a row in every other table of a bundle that an import takes. */
async function fill(owner: SignedIn): Promise<void> {
  const { system } = server.context.db;
  const call = callerOf(server, owner);
  const account_id = owner.accountId;
  const own = { account_id, created_by: owner.userId };
  const id = ({ body, status, text }: Awaited<ReturnType<typeof call>>): number => {
    expect([status, text]).toEqual([201, expect.any(String)]);
    return Number((body as unknown as { readonly id: string }).id);
  };
  const folder = id(await call('POST', '/folder', { name: 'North' }));
  const department = id(await call('POST', '/department', { name: 'Team' }));
  const driver = id(await call('POST', '/driver', { name: 'Ann', departmentId: String(department) }));
  const body = { imei: testImei(871_200), deviceName: '4127', folderId: String(folder), usualDriverId: String(driver) };
  const vehicle = id(await call('POST', '/device', body));
  const group = id(await call('POST', '/geofence_group', { name: 'Sites', color: 'teal' }));
  const shape = { kind: 'circle', center: [-87.68, 41.9], radiusM: 250 };
  const of = { folderIds: [String(folder)], deviceIds: [String(vehicle)] };
  const geofence = id(await call('POST', '/geofence', { name: 'Yard', groupId: String(group), shape, vehicles: of }));
  const colleague = await signedIn(server, { accountId: account_id, role: 'dispatcher' });
  await system
    .updateTable('app_user')
    .set({ preferences: JSON.stringify({ language: 'fr' }), gender: 2, phone: '+15550104477' } as never)
    .where('id', '=', colleague.userId)
    .execute();
  const rule = id(
    await call('POST', '/alert-rule', {
      ...{ name: 'Out at night', trigger: { kind: 'exit', minutes: 5 }, geofenceIds: [String(geofence)], vehicles: of },
      ...{ isOn: true, mailTo: [colleague.userId], pushTo: [], ownerId: owner.userId },
      escalation: { minutes: 20, to: [owner.userId, colleague.userId] },
    }),
  );
  expect((await call('PATCH', '/settings', { currency: 'EUR' })).status).toBe(200);
  const view = id(await call('POST', '/view', { page: 'fleet', name: 'Mine', query: 'q=4127', isShared: false }));
  const of2 = { driver_id: driver, vehicle_id: vehicle };
  await system
    .insertInto('view_order')
    .values({ account_id, user_id: owner.userId, page: 'fleet', view_ids: [view] })
    .execute();
  await system
    .insertInto('report_schedule')
    .values({
      ...{ account_id, user_id: owner.userId, name: 'Weekly', report: 'trips', format: 'csv', query: '{}' },
      ...{
        period: 'lastWeek',
        rule: JSON.stringify({ every: 'week', weekday: 1, minute: 420 }),
        only_if_not_empty: true,
      },
      ...{ recipients: [colleague.userId], attaches: false, next_at: DAY },
    } as never)
    .execute();
  const task = await system
    .insertInto('task')
    .values({
      ...{
        ...own,
        ...of2,
        task_id: 'T-1',
        title: 'Deliver 12 pallets',
        priority: 'normal',
        stops: '[]',
        state: 'done',
      },
      ...{ needs_photo: true, needs_signature: false, seq_no: 1, over_at: LATER },
    } as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  await system
    .insertInto('task_step')
    .values({
      account_id,
      task_id: task.id,
      report_id: randomUUID(),
      state: 'done',
      at: LATER,
      done_by: 'driver',
      user_id: null,
    } as never)
    .execute();
  const content = Buffer.from(await (await testPicture('webp')).arrayBuffer());
  await system
    .insertInto('task_proof')
    .values({ account_id, task_id: task.id, proof_id: randomUUID(), kind: 'photo', content })
    .execute();
  await system
    .insertInto('alert')
    .values(sosAlert(account_id, vehicle, { rule_id: rule, acknowledged_by: owner.userId, acknowledged_at: LATER }))
    .execute();
  const carrier = { name: 'Rockfish Freight Lines', usdotNumber: '9990417' };
  expect((await call('PATCH', '/eld/carrier', carrier)).status).toBe(200);
  expect((await call('PATCH', `/eld/driver/${driver}`, { keepsLog: true })).status).toBe(200);
  await system
    .insertInto('log_declaration')
    .values({
      account_id,
      id: randomUUID(),
      driver_id: driver,
      exception: 'adverse-conditions',
      start_at: DAY,
      end_at: LATER,
      reason: 'Ice',
    })
    .execute();
  const photo = randomUUID();
  await system
    .insertInto('inspection_photo')
    .values({ account_id, id: photo, ...of2, content })
    .execute();
  const report: DvirReport = {
    ...{ id: randomUUID(), vehicle: { powerUnit: '4127', vin: '' }, trailers: '' },
    defects: [{ part: 'tires', unit: 'vehicle', what: 'Nail in the left rear tire', affectsSafety: true }],
    reportedBy: { by: colleague.userId, name: 'Ann Lee', at: DAY.getTime() },
  } as never;
  await system
    .insertInto('inspection_report')
    .values({
      ...{
        account_id,
        id: report.id,
        ...of2,
        inspected: 'pre-trip',
        report: JSON.stringify(report),
        state: 'repaired',
      },
      ...{ photos: JSON.stringify([[photo]]), reviewed: null, reported_at: DAY },
      certified: JSON.stringify({ by: owner.userId, name: 'Joe Shop', at: LATER.getTime() }),
    } as never)
    .execute();
  const times = JSON.stringify([{ days: [6, 7], from: '18:00', to: '06:00' }]);
  for (const who of [
    { driver_id: driver, vehicle_id: null },
    { driver_id: null, vehicle_id: vehicle },
  ]) {
    await system
      .insertInto('private_hours')
      .values({ account_id, ...who, zone: 'America/Chicago', times, valid_from: DAY, valid_to: null })
      .execute();
  }
  await system
    .insertInto('private_drive')
    .values({ account_id, ...of2, cause: 'switch', began_at: DAY, ended_at: LATER })
    .execute();
  await system
    .insertInto('driver_span')
    .values({ account_id, ...of2, kind: 'signed-in', from_at: DAY, to_at: LATER })
    .execute();
  const quiet = { quiet_from: '22:00', quiet_to: '06:00', critical_breaks: true };
  await system
    .insertInto('notification_setting')
    .values({ account_id, mail: true, kinds: ['sos', 'tow'], ...quiet, escalate_after_minutes: 30, changed_by: null })
    .execute();
  await system
    .insertInto('notification_choice')
    .values({
      account_id,
      user_id: colleague.userId,
      kinds: ['sos'],
      escalations: false,
      quiet: 'own',
      ...quiet,
      daily_limit: 12,
    })
    .execute();
  await system
    .insertInto('control_rule')
    .values({ account_id, second_person: false, changed_at: DAY, changed_by: owner.userId })
    .execute();
  const weights = { speeding: 3, harsh: 2, idling: 1, hours: 10, certification: 4, unidentified: 5 };
  await system
    .insertInto('performance_weight')
    .values({ account_id, weights: JSON.stringify(weights) } as never)
    .execute();
  await system
    .insertInto('performance_dispute')
    .values({
      ...{
        account_id,
        driver_id: driver,
        evidence: 'day:7',
        reply: 'I was not driving',
        disputed_at: DAY,
        state: 'rejected',
      },
      ...{ answer: 'The card says so', answered_by: owner.userId, answered_at: LATER },
    } as never)
    .execute();
  await system
    .insertInto('coaching_note')
    .values({
      ...own,
      driver_id: driver,
      note: 'Ride along',
      due_on: '2026-12-01',
      created_at: DAY,
      done_at: LATER,
    } as never)
    .execute();
}

/** Something in the columns that the pages leave empty at first. */
async function fillRest(accountId: number): Promise<void> {
  const one = async (table: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
    const pairs = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    await sql`update ${sql.table(table)} set ${sql.join(pairs)} where account_id = ${accountId}`.execute(
      server.context.db.system,
    );
  };
  const { rows } = await sql<
    Readonly<Record<'folder' | 'department' | 'driver' | 'task' | 'geofence' | 'role', number>>
  >`
    select (select min(id) from folder where account_id = a.id) as folder,
      (select min(id) from department where account_id = a.id) as department,
      (select min(id) from driver where account_id = a.id) as driver, (select min(id) from task where account_id = a.id) as task,
      (select min(id) from geofence where account_id = a.id) as geofence
    from account a where id = ${accountId}`.execute(server.context.db.system);
  const ids = rows[0];
  await sql`insert into folder (account_id, name, parent_id) values (${accountId}, 'Depot', ${ids?.folder})`.execute(
    server.context.db.system,
  );
  await sql`insert into department (account_id, name, parent_id) values (${accountId}, 'Night', ${ids?.department})`.execute(
    server.context.db.system,
  );
  await one('driver', {
    ...{ card: '04A1', email: 'ann@example.com', notes: 'Nights', phone: '+15550104478' },
    ...{ licence_class: 'A', licence_number: 'T64', licence_region: 'VA', licence_expires_on: '2028-01-31' },
  });
  await one('vehicle', {
    ...{ vin: '1XKYD49X8NJ123456', make: 'Kenworth', tags: ['a', 'b'], type: 'tractor', year: 2022, model: 'T680' },
    ...{
      notes: 'Squeaks',
      plate: 'VA 48-217',
      protocol: 'teltonika',
      fuel_type: 'diesel',
      sim_number: '89014103',
      tracker_id: '860000000000001',
    },
    ...{
      tank_litres: 400,
      tracker_model: 'FMB920',
      odometer_offset: 12_500,
      speed_limit_kmh: 105,
      tracker_addresses: ['203.0.113.7'],
    },
  });
  await one('geofence_group', { detention_per_hour: 90, detention_free_minutes: 30 });
  await one('geofence', {
    ...{ note: 'Gate 3', is_restricted: true, speed_limit_kmh: 30, detention_per_hour: 80, detention_free_minutes: 20 },
  });
  await one('rule', {
    ...{ action: 'Call them', message: '{vehicle} left', repeat_minutes: 15, is_any_geofence: true },
    when: JSON.stringify({ days: [1, 2], from: '22:00', to: '05:00', is: 'within' }),
    conditions: JSON.stringify({
      ...{ or: [], when: null, places: null, drivers: null, fromKmh: 5, minutes: null, ignition: 'on', vehicles: null },
    }),
  });
  await one('rule_geofence', { place: 1 });
  await one('task', {
    ...{
      ref: 'PO 7',
      note: 'Left at gate',
      notes: 'Ring twice',
      due_from: DAY,
      due_to: LATER,
      reason: 'Late',
      answer_by: LATER,
    },
    ...{ signed_by: 'R. Roe', assigned_at: DAY, needs_signature: true },
    stops: JSON.stringify([{ name: 'Dock 4', lat: 41.9, lon: -87.6, actions: ['unload'] }]),
  });
  await one('alert', {
    ...{
      late: true,
      began_at: DAY,
      closed_at: LATER,
      driver_id: ids?.driver,
      geofence_id: ids?.geofence,
      geofence_name: 'Yard',
    },
    figures: JSON.stringify({ speed: 30 }),
    task_id: ids?.task,
    task: JSON.stringify({
      ...{ title: 'Deliver 12 pallets', ref: 'PO 7', dueTo: '2026-11-19T15:30:00.000Z', arriveAt: null, lateS: 600 },
      reason: null,
    }),
    rule: JSON.stringify({ name: 'Out at night', action: 'Call them', geofence: 'Yard', other: null }),
    conflict: JSON.stringify({
      cause: 'protocol',
      protocol: 'osmand',
      address: null,
      own: 'teltonika',
      speeds: null,
      metres: 5,
    }),
  });
  await one('carrier', { yard_moves: true, personal_use: true, personal_use_limit_km: 80 });
  await one('log_setting', {
    ...{
      rule_set: 'US_PROPERTY_70_8',
      is_exempt: true,
      yard_moves: true,
      personal_use: true,
      exempt_reason: 'Short haul',
    },
  });
  await one('private_hours', { valid_to: LATER });
  await one('inspection_report', { reviewed: JSON.stringify({ by: 'someone', name: 'Ann Lee', at: LATER.getTime() }) });
  await one('notification_choice', { escalations: true });
}

/** When a row was made, and numbers that nothing names, are new. */
const NEW = new Set([
  'last_seen_at',
  'created_at',
  'changed_at',
  'changed_by',
  'created_by',
  'since',
  'version',
  'next_at',
  'rp_id',
]);
const NUMBERED_ANEW = new Set(['private_hours', 'private_drive', 'coaching_note', 'report_schedule', 'driver_span']);

/** A picture is encoded anew, whatever the file has; a preference that was never chosen is not there or null. */
function shown(name: string, value: unknown): unknown {
  if (name === 'content') return String(value).slice(0, 5);
  if (name !== 'preferences') return value;
  return Object.fromEntries(Object.entries(value as object).filter(([, chosen]) => chosen !== null));
}

/** The rows of each table that an import takes, without what is new where they come. */
function rowsOf(text: string): ReadonlyMap<string, readonly string[]> {
  const rows = new Map<string, string[]>();
  for (const line of text.trimEnd().split('\n').slice(1, -1)) {
    const { row, table } = JSON.parse(line) as {
      readonly table?: keyof typeof TABLES;
      readonly row: Record<string, unknown>;
    };
    if (table === undefined || TABLES[table].in !== 'both') continue;
    const kept = Object.entries(row).filter(([name]) => !NEW.has(name) && !(name === 'id' && NUMBERED_ANEW.has(table)));
    const said = kept.map(([name, value]) => [name, shown(name, value)]);
    rows.set(table, [...(rows.get(table) ?? []), JSON.stringify(Object.fromEntries(said))].sort());
  }
  return rows;
}

/** Columns that say nothing in this account: what is lost of them would not be seen. */
const EMPTY = new Set([
  ...['driver.user_id', 'driver.archived', 'geofence.is_for_all', 'rule.is_for_all', 'carrier.terminals'],
  ...['app_user.image', 'app_user.custom_role_id', 'app_user.scope_folders', 'app_user.scope_departments'],
  ...['app_user.email', 'app_user.confirmed_email', 'app_user.expires_at', 'app_user.must_change_password'],
  ...['report_schedule.attaches', 'report_schedule.last_at', 'rule.push_to', 'rule.built_in', 'rule.webhook_ids'],
  ...['task.assigned_by', 'task_step.user_id', 'alert.command_id'],
  ...['alert.escalation', 'alert.escalate_at', 'log_setting.synced_at', 'log_setting.terminal_id'],
  'control_rule.second_person',
]);

function emptyColumnsOf(tables: ReadonlyMap<string, readonly string[]>): string[] {
  const isEmpty = (value: unknown): boolean => !value || (Array.isArray(value) && value.length === 0);
  return [...tables].flatMap(([table, texts]) => {
    const rows = texts.map(text => JSON.parse(text) as Readonly<Record<string, unknown>>);
    const names = Object.keys(rows[0] ?? {});
    return names.filter(name => rows.every(row => isEmpty(row[name]))).map(name => `${table}.${name}`);
  });
}

it('an account that was imported is exported with the same rows, in every table that an import takes [N13]', async () => {
  const owner = await signedIn(server);
  await fill(owner);
  await fillRest(owner.accountId);
  const before = rowsOf(await exported(server, owner));
  expect(emptyColumnsOf(before).filter(column => !EMPTY.has(column))).toEqual([]);
  const both = Object.entries(TABLES).flatMap(([name, { in: where }]) => (where === 'both' ? [name] : []));
  expect([...before.keys(), ...ELSEWHERE].sort()).toEqual(both.sort());
  const text = await exported(server, owner);
  await server.context.db.system.deleteFrom('account').where('id', '=', owner.accountId).execute();
  const other = await signedIn(server);
  await imported(server, other, text);
  const after = rowsOf(await exported(server, other));
  for (const table of before.keys()) {
    // Whoever imports is a user, too.
    if (table === 'app_user') expect(after.get(table)).toEqual(expect.arrayContaining([...(before.get(table) ?? [])]));
    else expect([table, after.get(table)]).toEqual([table, before.get(table)]);
  }
});
