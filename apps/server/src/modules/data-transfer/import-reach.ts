import { type Actor, may, SHARE_LONG_MAX_DAYS, SHARE_MAX_DAYS, WEBHOOKS_MAX } from '@milepost/contract';
import { AppError } from '../../app-error.ts';
import { newSecret } from '../webhooks/signature.ts';
import type { ImportContext, Takes } from './import-desk.ts';
import { insertRow } from './insert-rows.ts';
import type { REACH_ROWS } from './reach-rows.ts';

export type ReachTable = keyof typeof REACH_ROWS;

const DAY_MS = 24 * 3_600_000;

/**
 * Webhooks and share links. A webhook is off until a user enters its address and copies its new secret. A link keeps
 * working, but no longer than a new one by the user who imports it could. Each answers whether its row came.
 */
export function takesOfReach({ accountId, ids, trx, userOf }: ImportContext, grantor: Actor): Takes<ReachTable> {
  const account = { account_id: accountId };
  let webhooks = 0;
  const latest = new Date(Date.now() + (may(grantor, 'shares.long') ? SHARE_LONG_MAX_DAYS : SHARE_MAX_DAYS) * DAY_MS);

  return {
    webhook: async ({ created_by, host, id, ...webhook }) => {
      if (host === undefined) return false;
      if (++webhooks > WEBHOOKS_MAX) throw new AppError('too-many-webhooks', { limit: WEBHOOKS_MAX });
      const off = { url: new URL(host).href, is_on: false, needs_address: true };
      const made = await ids.add('webhook', id, { ...webhook, ...account, ...off, created_by: userOf(created_by) });
      const secret = { ...account, webhook_id: made, secret: newSecret() };
      await trx.insertInto('webhook_secret').values(secret).execute();
      return true;
    },
    webhook_delivery: async ({ alert_id, state, webhook_id, ...delivery }) => {
      const webhook = ids.of('webhook').get(webhook_id);
      // The server that the file comes from sends what still waits there.
      if (webhook === null || state === 'waiting') return false;
      const alert = trx
        .selectFrom('alert')
        .select('id')
        .where('id', '=', alert_id ?? '');
      if (alert_id !== null && !(await alert.executeTakeFirst())) return false;
      const row = { ...delivery, ...account, webhook_id: webhook, alert_id, state };
      return (await insertRow(trx, 'webhook_delivery', row)) !== null;
    },
    share_link: async ({ created_by, expires_at, id, task_id, token_hash, ...link }) => {
      const user = userOf(created_by);
      if (user === null || token_hash === undefined || !may(grantor, 'shares.write')) return false;
      const made = await ids.addIfFree('share_link', id, {
        ...{ ...link, ...account, token_hash, created_by: user, task_id: ids.of('task').get(task_id ?? null) },
        expires_at: Date.parse(expires_at) > latest.getTime() ? latest : expires_at,
      });
      return made !== null;
    },
    share_link_vehicle: async ({ key, link_id, vehicle_id }) => {
      const of = { link_id: ids.of('share_link').get(link_id), vehicle_id: ids.of('vehicle').get(vehicle_id) };
      if (of.link_id === null || of.vehicle_id === null) return false;
      return (await insertRow(trx, 'share_link_vehicle', { ...account, ...of, key })) !== null;
    },
  };
}
