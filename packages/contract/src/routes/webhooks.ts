import { z } from 'zod';
import { idSchema, numeric, uuidSchema, viewNameSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { SEVERITIES } from '../severity.ts';
import { ALERT_KINDS } from './alerts.ts';

const TAG = 'Webhooks';

export const WEBHOOKS_MAX = 20;
/** After the last of these tries, a delivery has failed for good. */
export const WEBHOOK_TRIES_MAX = 10;

const NO_ADDRESS = issue('webhook-address');

/** A user name in the address would be sent, and shown, with every delivery. */
function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '';
}

/** The address, and the alerts that go there. */
export const newWebhookSchema = z.strictObject({
  name: viewNameSchema,
  url: z
    .string(NO_ADDRESS)
    .trim()
    .max(2000, issue('max-length', { max: 2000 }))
    .refine(isWebAddress, NO_ADDRESS),
  severities: z.array(z.enum(SEVERITIES)).min(1, issue('at-least-one')).max(SEVERITIES.length),
  /** Null: every kind, those of later versions included. */
  kinds: z.array(z.enum(ALERT_KINDS)).min(1, issue('at-least-one')).max(ALERT_KINDS.length).nullable().default(null),
  enabled: z.boolean().default(true),
});

/** Why a try did not succeed. */
export const WEBHOOK_FAILURES = [
  /** The address leads to a private network, or the operator does not allow `http://`. */
  'address-refused',
  /** The host name is unknown. */
  'no-host',
  'unreachable',
  'certificate',
  'timeout',
  /** The receiver sent the request elsewhere, which is not followed. */
  'redirect',
  /** The receiver answered with another code than 200 to 299. */
  'refused',
  /** The receiver answered 410: it wants no more of this. */
  'gone',
] as const;
export type WebhookFailure = (typeof WEBHOOK_FAILURES)[number];

export const webhookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string(),
    severities: z.array(z.enum(SEVERITIES)),
    kinds: z.array(z.enum(ALERT_KINDS)).nullable(),
    enabled: z.boolean(),
    /** It came with an import, without the path of its address and with a new secret: it is off until both are known. */
    needsAddress: z.literal(true).optional(),
    createdAt: z.iso.datetime(),
    /** Deliveries of the last seven days. */
    waiting: z.int(),
    failed: z.int(),
    lastDeliveredAt: z.iso.datetime().nullable(),
    /** How the last try went; null if it succeeded, or there was none. */
    failing: z
      .object({ failure: z.enum(WEBHOOK_FAILURES), status: z.int().nullable(), at: z.iso.datetime() })
      .nullable(),
  })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhookSchema>;

export const DELIVERY_STATES = ['waiting', 'delivered', 'failed'] as const;

export const webhookDeliverySchema = z
  .object({
    id: z.string(),
    webhookId: z.string(),
    /** Null for a test. */
    alert: z
      .object({
        id: z.string(),
        kind: z.enum(ALERT_KINDS),
        severity: z.enum(SEVERITIES),
        /** The name of the account’s rule, where it was one. */
        rule: z.string().nullable(),
        deviceName: z.string(),
      })
      .nullable(),
    state: z.enum(DELIVERY_STATES),
    createdAt: z.iso.datetime(),
    tries: z.int(),
    triedAt: z.iso.datetime().nullable(),
    /** When it is tried next; null once it was delivered or has failed for good. */
    nextAt: z.iso.datetime().nullable(),
    /** Of the last try. */
    failure: z.enum(WEBHOOK_FAILURES).nullable(),
    status: z.int().nullable(),
    tookMs: z.int().nullable(),
    /** The beginning of what the receiver answered. */
    answer: z.string().nullable(),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof webhookDeliverySchema>;

const withSecret = webhookSchema.extend({ secret: z.string().describe('Shown this once') });
const params = z.object({ id: idSchema });

export const listWebhooks = defineRoute({
  method: 'GET',
  path: '/api/v1/webhook',
  access: 'settings.write',
  summary: 'List the webhooks of the account',
  tag: TAG,
  response: z.array(webhookSchema),
});

export const createWebhook = defineRoute({
  method: 'POST',
  path: '/api/v1/webhook',
  access: 'settings.write',
  summary: 'Send new alerts to an address; the answer has the secret that signs them',
  tag: TAG,
  body: newWebhookSchema,
  status: 201,
  response: withSecret,
  problems: ['too-many-webhooks', 'webhook-name-taken'],
});

export const updateWebhook = defineRoute({
  method: 'PATCH',
  path: '/api/v1/webhook/{id}',
  access: 'settings.write',
  summary: 'Change a webhook, or turn it on or off',
  tag: TAG,
  params,
  body: newWebhookSchema.partial(),
  response: webhookSchema,
  problems: ['not-found', 'webhook-name-taken', 'webhook-needs-address'],
});

export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/api/v1/webhook/{id}',
  access: 'settings.write',
  summary: 'Delete a webhook with its deliveries',
  tag: TAG,
  params,
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});

export const renewWebhookSecret = defineRoute({
  method: 'POST',
  path: '/api/v1/webhook/{id}/secret',
  access: 'settings.write',
  summary: 'Replace the secret of a webhook; the old one signs nothing from now on',
  tag: TAG,
  params,
  response: withSecret,
  problems: ['not-found'],
});

export const testWebhook = defineRoute({
  method: 'POST',
  path: '/api/v1/webhook/{id}/test',
  access: 'settings.write',
  summary: 'Send a test to a webhook and read how it went; it is tried once',
  tag: TAG,
  params,
  status: 201,
  response: webhookDeliverySchema,
  problems: ['not-found', 'webhook-needs-address'],
});

export const listWebhookDeliveries = defineRoute({
  method: 'GET',
  path: '/api/v1/webhook/{id}/delivery',
  access: 'settings.write',
  summary: 'List the deliveries of a webhook of the last seven days, newest first',
  tag: TAG,
  params,
  query: z.object({
    state: z.enum(DELIVERY_STATES).optional(),
    limit: numeric(z.int().min(1).max(200)).default(50),
    before: uuidSchema.optional(),
  }),
  response: z.array(webhookDeliverySchema),
  problems: ['not-found'],
});

export const sendWebhookDelivery = defineRoute({
  method: 'POST',
  path: '/api/v1/webhook_delivery/{id}/send',
  access: 'settings.write',
  summary: 'Send a delivery again, with the same content and a new signature',
  tag: TAG,
  params: z.object({ id: uuidSchema }),
  response: webhookDeliverySchema,
  problems: ['not-found', 'webhook-off'],
});
