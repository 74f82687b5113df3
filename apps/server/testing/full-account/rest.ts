import { sql } from 'kysely';
import type { TestHttpServer } from '../http-server.ts';
import { DAY, LATER } from './desk.ts';

/** Fills the columns that pages leave empty at first. */
export async function fillRest({ context }: Pick<TestHttpServer, 'context'>, accountId: number): Promise<void> {
  const one = async (table: string, values: Readonly<Record<string, unknown>>): Promise<void> => {
    const pairs = Object.entries(values).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
    await sql`update ${sql.table(table)} set ${sql.join(pairs)} where account_id = ${accountId}`.execute(
      context.db.system,
    );
  };
  const { rows } = await sql<Readonly<Record<'folder' | 'department' | 'driver' | 'task' | 'geofence', number>>>`
    select (select min(id) from folder where account_id = a.id) as folder,
      (select min(id) from department where account_id = a.id) as department,
      (select min(id) from driver where account_id = a.id) as driver, (select min(id) from task where account_id = a.id) as task,
      (select min(id) from geofence where account_id = a.id) as geofence
    from account a where id = ${accountId}`.execute(context.db.system);
  const ids = rows[0];
  await sql`insert into folder (account_id, name, parent_id) values (${accountId}, 'Depot', ${ids?.folder})`.execute(
    context.db.system,
  );
  await sql`insert into department (account_id, name, parent_id) values (${accountId}, 'Night', ${ids?.department})`.execute(
    context.db.system,
  );
  const { system } = context.db;
  await sql`insert into former_user (account_id, id, user_name, display_name, role)
    values (${accountId}, '0199c000-0000-7000-8000-00000000000f', 'lee', 'Lee Gone', 'dispatcher')`.execute(system);
  await sql`insert into former_driver (account_id, id, name)
    select ${accountId}, nextval(pg_get_serial_sequence('driver', 'id')), 'Max Gone'`.execute(system);
  await sql`insert into former_vehicle (account_id, id, imei, name)
    select ${accountId}, nextval(pg_get_serial_sequence('vehicle', 'id')), '356307042441013', '4100'`.execute(system);
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
    ...{ action: 'Call them', needs_note: true, message: '{vehicle} left', repeat_minutes: 15, is_any_geofence: true },
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
