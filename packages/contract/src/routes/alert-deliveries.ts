import { z } from 'zod';
import { uuidSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';
import { MAIL_FAILURES } from './notifications.ts';
import { WEBHOOK_FAILURES } from './webhooks.ts';

/** How an alert leaves the app. */
export const DELIVERY_WAYS = ['mail', 'push', 'webhook'] as const;
/**
 * `waiting`: on its way, or held until quiet hours end. `retrying`: the last try failed. `digest`: beyond the user's
 * alerts a day, so it is counted in their next summary. `quiet`: left out because of quiet hours.
 */
export const ALERT_DELIVERY_STATES = ['waiting', 'retrying', 'sent', 'failed', 'digest', 'quiet'] as const;
/** It is new, or nobody acknowledged it within the account's limit or its rule's. */
export const DELIVERY_REASONS = ['opened', 'escalated', 'ruleEscalated'] as const;
/** Deliveries are kept for so many days. */
export const DELIVERY_DAYS = 7;

const deliverySchema = z.object({
  via: z.enum(DELIVERY_WAYS),
  /** The user; null for a webhook. */
  userId: z.string().nullable(),
  /** Of the user or the webhook; null for those who may not read the account's webhooks. */
  name: z.string().nullable(),
  /** Of a push: the browser's name for itself. */
  browser: z.string().nullable(),
  reason: z.enum(DELIVERY_REASONS),
  state: z.enum(ALERT_DELIVERY_STATES),
  /** When it was decided that it goes to them. */
  notedAt: z.iso.datetime(),
  /** When it arrived or failed, or is tried next; null if that isn't known. */
  at: z.iso.datetime().nullable(),
  /** How often it was tried; null if that isn't counted. */
  tries: z.int().nullable(),
  failure: z.enum([...new Set([...MAIL_FAILURES, ...WEBHOOK_FAILURES])]).nullable(),
});
export type AlertDelivery = z.infer<typeof deliverySchema>;

export const readAlertDeliveries = defineRoute({
  method: 'GET',
  path: '/api/v1/alert/{id}/delivery',
  access: 'alerts.read',
  summary: 'Who was notified of an alert, how and when; users who can’t write rules read only their own',
  tag: 'Alerts',
  params: z.object({ id: uuidSchema }),
  response: z.object({
    /** In the order in which they were noted. */
    deliveries: z.array(deliverySchema),
    /** How many others there are, to people and webhooks that the caller may not read about. */
    others: z.int(),
  }),
  problems: ['not-found'],
});
