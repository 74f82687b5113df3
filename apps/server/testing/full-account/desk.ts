import { randomUUID } from 'node:crypto';
import type { DvirReport } from '@milepost/eld';
import { expect } from 'vitest';
import { sosAlert } from '../alerts.ts';
import { type SignedIn, signedIn, type TestHttpServer } from '../http-server.ts';
import { testImei } from '../imei.ts';
import { callerOf } from '../organisation.ts';
import { testPicture } from '../picture.ts';

/** Moments of what is in a full account. */
export const DAY = new Date('2026-11-19T14:00:00Z');
export const LATER = new Date('2026-11-19T15:30:00Z');

/** An account with a row in every other table of a bundle that an import takes. */
export async function fillDesk(server: TestHttpServer, owner: SignedIn, imei = testImei(871_200)): Promise<void> {
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
  const body = { imei, deviceName: '4127', folderId: String(folder), usualDriverId: String(driver) };
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
    .values(
      sosAlert(account_id, vehicle, {
        rule_id: rule,
        acknowledged_by: owner.userId,
        acknowledged_at: LATER,
        note: 'Called the driver.',
      }),
    )
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
