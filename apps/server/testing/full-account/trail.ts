import { randomBytes, randomUUID, webcrypto } from 'node:crypto';
import { nextPhoneLink, phoneChain, START } from '@milepost/eld';
import { sql } from 'kysely';
import type { TestHttpServer } from '../http-server.ts';
import { DAY, LATER } from './desk.ts';

const HOUR_MS = 3_600_000;

interface Ids {
  readonly vehicle: number;
  readonly driver: number;
  readonly owner: string;
  readonly colleague: string;
  readonly task: number;
  readonly rule: number;
  readonly alert: string;
}

/** What was commanded, shared, called, looked at, entered and handed out in an account that has been filled. */
export async function fillTrail({ context }: Pick<TestHttpServer, 'context'>, accountId: number): Promise<void> {
  const { system } = context.db;
  const put = async (table: string, ...rows: readonly object[]): Promise<void> => {
    for (const row of rows) {
      const all = { account_id: accountId, ...row };
      const columns = sql.join(Object.keys(all).map(name => sql.ref(name)));
      await sql`insert into ${sql.table(table)} (${columns}) select ${columns}
        from json_populate_record(null::${sql.table(table)}, ${JSON.stringify(all)}::json)`.execute(system);
    }
  };
  const { rows } = await sql<Ids>`
    select (select min(id) from vehicle where account_id = a.id) as vehicle,
      (select min(id) from driver where account_id = a.id) as driver,
      (select id from app_user where account_id = a.id and role = 'owner') as owner,
      (select id from app_user where account_id = a.id and role = 'dispatcher') as colleague,
      (select min(id) from task where account_id = a.id) as task,
      (select min(id) from rule where account_id = a.id) as rule,
      (select id from alert where account_id = a.id) as alert
    from account a where id = ${accountId}`.execute(system);
  const [ids] = rows;
  if (!ids) throw new Error('There is no such account');
  const { alert, colleague, driver, owner, rule, task, vehicle } = ids;
  const user = { user_id: colleague, user_name: 'Joe Shop' };

  const webhook = await system
    .insertInto('webhook')
    .values({
      ...{ account_id: accountId, name: 'Dispatch', url: 'https://hooks.example.com/T0/SECRET-PATH', is_on: true },
      ...{ severities: ['critical'], kinds: ['sos'], created_by: owner },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await put('webhook_secret', { webhook_id: webhook.id, secret: 'whsec_NOT-FOR-FILES' });
  await put('webhook_delivery', {
    ...{ id: randomUUID(), webhook_id: webhook.id, alert_id: alert, noted_at: DAY, state: 'failed', next_at: null },
    ...{
      tries: 10,
      tried_at: LATER,
      failure: 'refused',
      status: 500,
      took_ms: 80,
      answer: 'No',
      body: '{"type":"alert"}',
    },
  });
  await sql`update rule set webhook_ids = ${[webhook.id]}::int[] where id = ${rule}`.execute(system);

  const link = await system
    .insertInto('share_link')
    .values({
      ...{ account_id: accountId, token_hash: randomBytes(32), name: 'Customer', note: 'Until noon', task_id: task },
      ...{ show_trail: true, show_speed: true, show_geofences: true, created_by: owner, views: 7 },
      ...{ starts_at: DAY, expires_at: new Date(Date.now() + HOUR_MS), revoked_at: LATER, last_viewed_at: LATER },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await put('share_link_vehicle', { link_id: link.id, vehicle_id: vehicle, key: randomUUID() });

  const command = randomUUID();
  await put('command', {
    ...{ id: command, vehicle_id: vehicle, imei: '860000000000001', action: 'engineStop', category: 'control' },
    ...{ params: { seconds: 5 }, mode: 'nextStop', reason: 'Stolen', state: 'failed', waiting_for: 'tracker' },
    ...{ effect: 'seen', created_at: DAY, expires_at: LATER, created_by: owner, created_by_name: 'Ann Lee', sent: 1 },
    ...{
      grant_hash: `\\x${randomBytes(32).toString('hex')}`,
      second_grant_hash: `\\x${randomBytes(32).toString('hex')}`,
    },
    ...{
      needs_second: true,
      second_by: colleague,
      second_by_name: 'Joe Shop',
      published_at: DAY,
      protocol: 'teltonika',
    },
    ...{ reference: 7, text: 'setdigout 1', answer: 'OK' },
    steps: [{ at: DAY.toISOString(), state: 'failed', reason: 'no-answer', by: owner, interlock: null, note: 'Now' }],
  });
  await sql`update alert set command_id = ${command} where id = ${alert}`.execute(system);

  await put('audit_entry', {
    ...{ at: DAY, action: 'vehicle.changed', ...user, via: 'session', address: '203.0.113.9', target_id: vehicle },
    ...{ target_name: '4127', changes: [{ field: 'name', from: 'Old', to: '4127' }], rule: { name: 'Out' } },
  });
  await put('look', {
    ...{ id: randomUUID(), driver_id: driver, kind: 'share', via: 'share', ...user, link_id: link.id },
    ...{ link_name: 'Customer', began_at: DAY, until_at: LATER, period_from: DAY, period_to: LATER },
  });
  await put('private_opening', {
    ...{ id: randomUUID(), opened_at: LATER, ...user, vehicle_id: vehicle, vehicle_name: '4127', driver_id: driver },
    ...{ from_at: DAY, to_at: LATER, reason: 'The driver did not answer' },
  });

  await put('unidentified_assignment', {
    ...{ vehicle_id: vehicle, record: randomUUID(), driver_id: driver, asked_by: colleague, asked_at: DAY },
  });
  await put('team_request', { driver_id: driver, co_driver_id: driver, vehicle_id: vehicle, asked_at: DAY });
  await put('driver_reminder', { driver_id: driver, about: 'proposals', asked_by: colleague, asked_at: DAY });
  await put('log_export', {
    ...{ id: randomUUID(), driver_id: driver, driver_name: 'Ann', kind: 'output-file', file_name: 'ann.csv' },
    ...{ from_date: '2026-11-12', to_date: '2026-11-19', comment: 'Scale', made_at: LATER, made_by: colleague },
    ...{
      made_by_name: 'Joe Shop',
      at_roadside: true,
      sha256: 'a'.repeat(64),
      content: 'ELD File',
      mailed_to: 'o@example.gov',
      taken_at: LATER,
    },
    ...{ token_hash: `\\x${randomBytes(32).toString('hex')}`, token_until: LATER },
  });
  await fillPhone(put, driver, vehicle, colleague);
}

/** A phone that has signed three entries as the app does, one of which was damaged on its way. */
async function fillPhone(
  put: (table: string, ...rows: readonly object[]) => Promise<void>,
  driver: number,
  vehicle: number,
  user: string,
): Promise<void> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, false, ['sign', 'verify']);
  const { x, y } = await webcrypto.subtle.exportKey('jwk', keys.publicKey);
  const id = randomUUID();
  const key = { kty: 'EC', crv: 'P-256', x, y };
  const own = { driver_id: driver };
  await put('phone', {
    ...{ id, ...own, name: 'Blue', public_key: key, after_position: 4, after_hash: START },
    ...{ enrolled_at: DAY, ended_at: LATER },
  });
  let last = { position: 4, hash: START };
  for (const finding of [null, 'bad-signature', null]) {
    const action = { kind: 'status', status: 'ON', note: 'Pre-trip' };
    const entry = { id: randomUUID(), at: DAY.toISOString(), action };
    const previous = last.hash;
    last = nextPhoneLink(phoneChain(id), entry, last);
    const sign = { name: 'ECDSA', hash: 'SHA-256' };
    const bytes = await webcrypto.subtle.sign(sign, keys.privateKey, Buffer.from(last.hash));
    await put('duty_input', {
      ...{
        id: entry.id,
        ...own,
        vehicle_id: vehicle,
        at: DAY,
        received_at: LATER,
        user_id: user,
        action,
        terms: { mayYard: true },
      },
      ...{ refusal: 'no-change', answered_at: LATER, record: randomUUID() },
    });
    await put('duty_signature', {
      ...{ input_id: entry.id, phone_id: id, ...own, position: last.position, previous, hash: last.hash, finding },
      ...{ signed_at: entry.at, received_at: LATER },
      signature: (finding === null ? Buffer.from(bytes) : Buffer.alloc(64)).toString('base64url'),
    });
  }
}
