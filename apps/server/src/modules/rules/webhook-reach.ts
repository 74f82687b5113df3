import { type readRuleReach, WEBHOOK_FAILURES, type WebhookReach } from '@milepost/contract';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import { addressRule, refusalOf } from '../webhooks/addresses.ts';

type Config = Context['config']['webhooks'];
type Decides = Pick<z.output<typeof readRuleReach.body>, 'kind' | 'severity' | 'webhookIds'>;

/** Which webhooks get a rule's alerts, by the database's own words for it, and whether what was sent last arrived. */
export async function readWebhookReach(
  trx: AccountTransaction,
  config: Config,
  { kind, severity, webhookIds }: Decides,
  named: boolean,
  quiet: 'muted' | 'vehicles-muted' | null,
): Promise<WebhookReach[]> {
  const ids = webhookIds?.map(Number) ?? null;
  const rows = await trx
    .selectFrom('webhook')
    .select(['id', 'name', 'url', 'is_on', 'severities'])
    .select(
      sql<boolean>`webhook_takes(is_on, severities, kinds, id, ${severity}, ${kind}, ${ids}::integer[])`.as('takes'),
    )
    .select(({ selectFrom }) =>
      selectFrom('webhook_delivery')
        .select('failure')
        .whereRef('webhook_id', '=', 'webhook.id')
        .where(({ eb, or }) => or([eb('state', '=', 'delivered'), eb('failure', 'is not', null)]))
        .orderBy('noted_at', 'desc')
        .limit(1)
        .as('failure'),
    )
    .orderBy(sql`lower(name)`)
    .execute();
  const rule = addressRule(config.networks);
  return rows.map(({ failure, id, is_on, name, severities, takes, url }) => {
    const isRefused = refusalOf(url, rule, config.http) !== null;
    return {
      ...{ id: String(id), name: named ? name : null, gets: takes && quiet === null },
      why:
        quiet ??
        (takes ? null : !is_on ? 'off' : ids ? 'not-named' : severities.includes(severity) ? 'kind' : 'severity'),
      failing: isRefused ? 'address-refused' : (WEBHOOK_FAILURES.find(each => each === failure) ?? null),
    };
  });
}
