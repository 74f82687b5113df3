import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { defineRoute } from '../route.ts';

const TAG = 'Subscriptions';

/** Days that a subscription lasts [R9.04]. */
export const SUBSCRIPTION_DAYS = 364;

const DAY_MS = 24 * 3_600_000;

/** [R4.19] 364 minus the days since it was created, at least 0. */
export function daysRemaining(createdAtMs: number, nowMs: number): number {
  const elapsed = Math.max(0, Math.floor((nowMs - createdAtMs) / DAY_MS));
  return Math.max(0, SUBSCRIPTION_DAYS - elapsed);
}

export const subscriptionSchema = z
  .object({
    id: z.string(),
    createdDate: z.iso.datetime(),
    /** Computed by the server at every read. */
    daysRemaining: z.int().min(0).max(SUBSCRIPTION_DAYS),
    device: z.object({ id: z.string(), imei: z.string(), deviceName: z.string() }),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof subscriptionSchema>;

export const listSubscriptions = defineRoute({
  method: 'GET',
  path: '/api/v1/subscription',
  access: 'subscriptions.read',
  summary: 'List the subscriptions, one per vehicle, with the remaining days',
  tag: TAG,
  response: z.array(subscriptionSchema),
});

/**
 * The specification's client sends the value that it has computed. The server computes its own, and changes nothing.
 */
export const updateSubscription = defineRoute({
  method: 'PATCH',
  path: '/api/v1/subscription-update/{id}',
  access: 'subscriptions.read',
  summary: 'Return the subscription unchanged; the number sent is ignored',
  tag: TAG,
  params: z.object({ id: idSchema }),
  body: z.object({ daysRemaining: z.number() }),
  response: subscriptionSchema,
  problems: ['not-found'],
});
