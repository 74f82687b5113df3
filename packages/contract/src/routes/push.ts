import { z } from 'zod';
import { idSchema } from '../fields.ts';
import { issue } from '../issue.ts';
import { defineRoute } from '../route.ts';
import { SEVERITIES } from '../severity.ts';

const TAG = 'Push notifications';

export const PUSH_SUBSCRIPTIONS_MAX = 20;

const endpointSchema = z.url({ protocol: /^https?$/ }).max(2000);
const keySchema = (bytes: number) =>
  z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`), issue('invalid'));

/** As the browser's `PushSubscription` has it; keys in base64url (RFC 8291). */
export const newPushSubscriptionSchema = z.strictObject({
  endpoint: endpointSchema,
  p256dh: keySchema(65),
  auth: keySchema(16),
  severities: z.array(z.enum(SEVERITIES)).min(1, issue('at-least-one')).max(SEVERITIES.length),
});

export const pushSubscriptionSchema = z
  .object({
    id: z.string(),
    /** The browser that subscribed, as it names itself. */
    userAgent: z.string().nullable(),
    severities: z.array(z.enum(SEVERITIES)),
    createdAt: z.iso.datetime(),
    lastSentAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'PushSubscription' });
export type PushSubscriptionItem = z.infer<typeof pushSubscriptionSchema>;

export const readPush = defineRoute({
  method: 'GET',
  path: '/api/v1/push',
  access: 'profile.read',
  summary: 'Read which of your browsers get push notifications, and the key they subscribe with',
  tag: TAG,
  response: z.object({
    /** The server’s VAPID key (RFC 8292), in base64url. */
    publicKey: z.string(),
    subscriptions: z.array(pushSubscriptionSchema),
  }),
});

export const subscribePush = defineRoute({
  method: 'POST',
  path: '/api/v1/push_subscription',
  access: 'profile.write',
  summary: 'Send new alerts to this browser, or change which; it ends with the session, unless that expires',
  tag: TAG,
  body: newPushSubscriptionSchema,
  status: 201,
  response: pushSubscriptionSchema,
  problems: ['too-many-push-subscriptions'],
});

export const renewPush = defineRoute({
  method: 'POST',
  path: '/api/v1/push_subscription/renew',
  access: 'profile.write',
  summary: 'Tie this browser’s subscription to your session; another user’s subscription of the same browser ends',
  tag: TAG,
  body: z.strictObject({ endpoint: endpointSchema }),
  response: z.object({ id: z.string().nullable() }),
});

export const deletePushSubscription = defineRoute({
  method: 'DELETE',
  path: '/api/v1/push_subscription/{id}',
  access: 'profile.write',
  summary: 'End the push notifications of one of your browsers',
  tag: TAG,
  params: z.object({ id: idSchema }),
  response: z.object({ deleted: z.literal(true), id: z.string() }),
  problems: ['not-found'],
});
