import { newWebhookSchema, WEBHOOK_FAILURES } from '@milepost/contract';
import { z } from 'zod';
import { id, line, moment, sha256, uuid } from './columns.ts';

/** Webhooks and share links, as an import takes them; see `rows.ts`. */

const { shape: webhook } = newWebhookSchema;

export const REACH_ROWS = {
  webhook: z.object({
    id,
    name: webhook.name,
    /** The address without its path, which may contain a key. Older exports don't have it. */
    host: webhook.url.optional(),
    severities: webhook.severities,
    kinds: webhook.kinds,
    created_at: moment,
    created_by: uuid.nullable(),
  }),
  webhook_delivery: z.object({
    id: uuid,
    webhook_id: id,
    alert_id: uuid.nullable(),
    noted_at: moment,
    state: z.enum(['waiting', 'delivered', 'failed']),
    tries: z.int().min(0),
    tried_at: moment.nullable(),
    failure: z.enum(WEBHOOK_FAILURES).nullable(),
    status: z.int().nullable(),
    took_ms: z.int().nullable(),
    answer: line(10_000).nullable(),
    body: line(1_000_000).nullable(),
  }),
  share_link: z.object({
    id,
    /** Of the secret in the address. Older exports don't have it. */
    token_hash: sha256.optional(),
    name: line(200).nullable(),
    note: line(2000).nullable(),
    show_trail: z.boolean(),
    show_speed: z.boolean(),
    show_geofences: z.boolean().default(false),
    task_id: id.nullish(),
    starts_at: moment,
    expires_at: moment,
    created_at: moment,
    created_by: uuid,
    revoked_at: moment.nullable(),
    views: z.int().min(0),
    last_viewed_at: moment.nullable(),
  }),
  share_link_vehicle: z.object({ link_id: id, vehicle_id: id, key: uuid.optional() }),
} as const;
