import {
  ALERT_KINDS,
  type AlertKind,
  type listWebhookDeliveries,
  type newWebhookSchema,
  type RouteParsed,
  SEVERITIES,
  type Severity,
  WEBHOOK_FAILURES,
  WEBHOOKS_MAX,
  type Webhook,
  type WebhookDelivery,
  type WebhookFailure,
} from '@milepost/contract';
import { type Selectable, sql } from 'kysely';
import { DatabaseError } from 'pg';
import type { z } from 'zod';
import { AppError, fieldProblem, invalidField } from '../../app-error.ts';
import type { Context } from '../../context.ts';
import type { AccountTransaction } from '../../db/database.ts';
import type { WebhookDeliveryTable, WebhookTable } from '../../db/webhook-schema.ts';
import { audit, changesBetween, secretChanged } from '../audit/audit.ts';
import type { By } from '../audit/by.ts';
import { addressRule, refusalOf } from './addresses.ts';
import { newSecret } from './signature.ts';

type Fields = z.output<typeof newWebhookSchema>;
type Row = Selectable<WebhookTable>;
type WithSecret = Webhook & { readonly secret: string };

export interface WebhookStore {
  list(accountId: number): Promise<Webhook[]>;
  create(by: By, fields: Fields): Promise<WithSecret>;
  update(by: By, id: number, change: Partial<Fields>): Promise<Webhook>;
  remove(by: By, id: number): Promise<void>;
  renewSecret(by: By, id: number): Promise<WithSecret>;
  deliveries(
    accountId: number,
    id: number,
    query: RouteParsed<typeof listWebhookDeliveries>['query'],
  ): Promise<WebhookDelivery[]>;
  /** Makes a delivery due now. */
  sendAgain(by: By, id: string): Promise<WebhookDelivery>;
}

const UNIQUE_VIOLATION = '23505';

export function createWebhookStore({ config, db }: Pick<Context, 'config' | 'db'>): WebhookStore {
  const rule = addressRule(config.webhooks.networks);

  const refuseUrl = (url: string): void => {
    const refusal = refusalOf(url, rule, config.webhooks.http);
    if (refusal) throw invalidField('url', refusal);
  };

  return {
    list: accountId =>
      db.asAccount(accountId, async trx => {
        const rows = await trx.selectFrom('webhook').selectAll().orderBy('id').execute();
        return withCounts(trx, rows);
      }),

    create: ({ session, author }, { name, url, severities, kinds, enabled }) => {
      refuseUrl(url);
      return named(() =>
        db.asAccount(session.accountId, async trx => {
          // One at a time in an account, so that two don't both become the last.
          await sql`select pg_advisory_xact_lock(hashtext('webhook'), ${session.accountId})`.execute(trx);
          const { count } = await trx
            .selectFrom('webhook')
            .select(sql<number>`count(*)::int4`.as('count'))
            .executeTakeFirstOrThrow();
          if (count >= WEBHOOKS_MAX) throw new AppError('too-many-webhooks', { limit: WEBHOOKS_MAX });
          const row = await trx
            .insertInto('webhook')
            .values({
              ...{ account_id: session.accountId, name, url, is_on: enabled, created_by: session.userId },
              ...{ severities: knownSeverities(severities), kinds: knownKinds(kinds) },
            })
            .returningAll()
            .executeTakeFirstOrThrow();
          const secret = newSecret();
          await trx
            .insertInto('webhook_secret')
            .values({ webhook_id: row.id, account_id: session.accountId, secret })
            .execute();
          const changes = changesBetween({}, noted(row));
          await audit(trx, author, { action: 'webhook.created', target: row, changes });
          return { ...(await single(trx, row)), secret };
        }),
      );
    },

    update: ({ session, author }, id, { name, url, severities, kinds, enabled }) => {
      if (url !== undefined) refuseUrl(url);
      return named(() =>
        db.asAccount(session.accountId, async trx => {
          const before = await found(trx, id);
          const after = {
            ...before,
            ...(name !== undefined && { name }),
            ...(url !== undefined && { url }),
            ...(severities !== undefined && { severities: knownSeverities(severities) }),
            ...(kinds !== undefined && { kinds: knownKinds(kinds) }),
            ...(enabled !== undefined && { is_on: enabled }),
            needs_address: before.needs_address && url === undefined,
          };
          if (after.is_on && after.needs_address) throw fieldProblem('url', 'webhook-needs-address');
          const {
            name: newName,
            url: newUrl,
            severities: newSeverities,
            kinds: newKinds,
            is_on,
            needs_address,
          } = after;
          await trx
            .updateTable('webhook')
            .set({ name: newName, url: newUrl, severities: newSeverities, kinds: newKinds, is_on, needs_address })
            .where('id', '=', id)
            .execute();
          const changes = changesBetween(noted(before), noted(after));
          // Only the path of the address may have changed, which may hold a key and isn't written down.
          const hidden = before.url !== after.url && changes.every(({ field }) => field !== 'host') ? ['url'] : [];
          const all = [...changes, ...hidden.map(secretChanged)];
          if (all.length > 0) await audit(trx, author, { action: 'webhook.changed', target: after, changes: all });
          return single(trx, after);
        }),
      );
    },

    remove: ({ session, author }, id) =>
      db.asAccount(session.accountId, async trx => {
        const row = await found(trx, id);
        await trx.deleteFrom('webhook').where('id', '=', id).execute();
        await audit(trx, author, { action: 'webhook.deleted', target: row });
      }),

    renewSecret: ({ session, author }, id) =>
      db.asAccount(session.accountId, async trx => {
        const row = await found(trx, id);
        const secret = newSecret();
        await trx.updateTable('webhook_secret').set({ secret }).where('webhook_id', '=', id).execute();
        await audit(trx, author, {
          action: 'webhook.secret-renewed',
          target: row,
          changes: [secretChanged('secret')],
        });
        return { ...(await single(trx, row)), secret };
      }),

    deliveries: (accountId, id, { before, limit, state }) =>
      db.asAccount(accountId, async trx => {
        await found(trx, id);
        const rows = await selectDeliveries(trx)
          .where('webhook_delivery.webhook_id', '=', id)
          .$if(state !== undefined, query => query.where('state', '=', state ?? 'waiting'))
          .$if(before !== undefined, query =>
            query.where(
              sql<boolean>`(noted_at, webhook_delivery.id) < (
                select noted_at, id from webhook_delivery where id = ${before} and webhook_id = ${id})`,
            ),
          )
          .orderBy('noted_at', 'desc')
          .orderBy('webhook_delivery.id', 'desc')
          .limit(limit)
          .execute();
        return rows.map(toDelivery);
      }),

    sendAgain: ({ session, author }, id) =>
      db.asAccount(session.accountId, async trx => {
        const row = await trx
          .selectFrom('webhook_delivery')
          .innerJoin('webhook', 'webhook.id', 'webhook_delivery.webhook_id')
          .select(['webhook.id', 'webhook.name', 'webhook.is_on'])
          .where('webhook_delivery.id', '=', id)
          .forUpdate('webhook_delivery')
          .executeTakeFirst();
        if (!row) throw new AppError('not-found');
        if (!row.is_on) throw new AppError('webhook-off');
        await trx
          .updateTable('webhook_delivery')
          .set({ state: 'waiting', next_at: new Date(), tries: 0 })
          .where('id', '=', id)
          .execute();
        await audit(trx, author, { action: 'webhook.sent-again', target: row });
        return toDelivery(await selectDeliveries(trx).where('webhook_delivery.id', '=', id).executeTakeFirstOrThrow());
      }),
  };
}

/** Problem `not-found` for another account's. */
export async function found(trx: AccountTransaction, id: number): Promise<Row> {
  const row = await trx.selectFrom('webhook').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw new AppError('not-found');
  return row;
}

/** With the alert and its vehicle as they are now. */
export const selectDeliveries = (trx: AccountTransaction) =>
  trx
    .selectFrom('webhook_delivery')
    .leftJoin('alert', 'alert.id', 'webhook_delivery.alert_id')
    .leftJoin('vehicle', 'vehicle.id', 'alert.vehicle_id')
    .selectAll('webhook_delivery')
    .select(['alert.kind', 'alert.severity', 'alert.rule', 'vehicle.name as vehicle_name']);

type DeliveryRow = Selectable<WebhookDeliveryTable> & {
  readonly kind: string | null;
  readonly severity: string | null;
  readonly rule: { readonly name: string | null } | null;
  readonly vehicle_name: string | null;
};

export const toDelivery = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  webhookId: String(row.webhook_id),
  alert:
    row.alert_id === null
      ? null
      : {
          id: row.alert_id,
          kind: row.kind as AlertKind,
          severity: row.severity as Severity,
          rule: row.rule?.name ?? null,
          deviceName: row.vehicle_name ?? '',
        },
  state: row.state,
  createdAt: row.noted_at.toISOString(),
  tries: row.tries,
  triedAt: row.tried_at?.toISOString() ?? null,
  nextAt: row.next_at?.toISOString() ?? null,
  failure: knownFailure(row.failure),
  status: row.status,
  tookMs: row.took_ms,
  answer: row.answer,
});

async function withCounts(trx: AccountTransaction, rows: readonly Row[]): Promise<Webhook[]> {
  const counts = await trx
    .selectFrom('webhook_delivery')
    .select('webhook_id')
    .select(sql<number>`(count(*) filter (where state = 'waiting'))::int4`.as('waiting'))
    .select(sql<number>`(count(*) filter (where state = 'failed'))::int4`.as('failed'))
    .select(sql<Date | null>`max(tried_at) filter (where state = 'delivered')`.as('last'))
    .groupBy('webhook_id')
    .execute();
  const tries = await trx
    .selectFrom('webhook_delivery')
    .distinctOn('webhook_id')
    .select(['webhook_id', 'failure', 'status', 'tried_at'])
    .where('tried_at', 'is not', null)
    .orderBy('webhook_id')
    .orderBy('tried_at', 'desc')
    .execute();
  const countsOf = new Map(counts.map(row => [row.webhook_id, row]));
  const triesOf = new Map(tries.map(row => [row.webhook_id, row]));
  return rows.map(row => {
    const { failed = 0, last = null, waiting = 0 } = countsOf.get(row.id) ?? {};
    const tried = triesOf.get(row.id);
    const failure = knownFailure(tried?.failure ?? null);
    return {
      id: String(row.id),
      name: row.name,
      url: row.url,
      severities: knownSeverities(row.severities),
      kinds: knownKinds(row.kinds),
      enabled: row.is_on,
      ...(row.needs_address && { needsAddress: true }),
      createdAt: row.created_at.toISOString(),
      ...{ waiting, failed },
      lastDeliveredAt: last?.toISOString() ?? null,
      failing: failure && tried?.tried_at ? { failure, status: tried.status, at: tried.tried_at.toISOString() } : null,
    };
  });
}

async function single(trx: AccountTransaction, row: Row): Promise<Webhook> {
  const [webhook] = await withCounts(trx, [row]);
  if (!webhook) throw new AppError('not-found');
  return webhook;
}

const knownFailure = (failure: string | null): WebhookFailure | null =>
  WEBHOOK_FAILURES.find(each => each === failure) ?? null;

/** Each once and in order; another version's kind is no failure. */
const knownKinds = (kinds: readonly string[] | null): AlertKind[] | null =>
  kinds && ALERT_KINDS.filter(kind => kinds.includes(kind));
const knownSeverities = (severities: readonly string[]): Severity[] =>
  SEVERITIES.filter(severity => severities.includes(severity));

/** For the audit log: of the address only the host, because the rest may hold a key. */
const noted = ({ name, url, severities, kinds, is_on }: Row) => ({
  name,
  host: new URL(url).host,
  severities: severities.join(' '),
  kinds: kinds?.join(' ') ?? null,
  enabled: is_on,
});

async function named<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const isTaken =
      error instanceof DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === 'webhook_name';
    throw isTaken ? fieldProblem('name', 'webhook-name-taken') : error;
  }
}
