import type { ChangeKind } from '@milepost/contract';

/**
 * Which queries show items of each kind, by the start of their keys. They are refetched when an item changes. Lists
 * that are updated item by item (`apply-changes.ts`) aren't listed. A new kind doesn't compile without a line here.
 */
export const KEYS_OF: Readonly<Record<ChangeKind, readonly string[]>> = {
  vehicle: [
    'overview',
    'command-offer',
    'shares',
    'my-driver',
    'my-privacy',
    'unknown-trackers',
    'refused-reports',
    'audit',
  ],
  folder: ['overview', 'audit'],
  department: ['overview', 'audit'],
  driver: ['overview', 'my-driver', 'my-privacy', 'audit'],
  document: ['documents', 'overview', 'my-driver', 'audit'],
  user: ['my-users', 'rule-reach', 'user-dependents', 'me', 'roles', 'security-policy', 'audit'],
  role: ['roles', 'my-users', 'me', 'audit'],
  // All data may have changed; see `apply-changes.ts`.
  rights: [],
  session: ['sessions', 'tokens', 'calendars', 'audit'],
  'second-factor': ['second-factor', 'security-policy'],
  email: ['me'],
  settings: [
    'account-settings',
    'sign-on',
    'my-privacy',
    'settings',
    'rules',
    'security-policy',
    'overview',
    'eld',
    'my-duty',
    'audit',
  ],
  branding: ['tenant', 'audit'],
  subscription: ['subscriptions'],
  view: ['views', 'report-schedules'],
  share: ['shares', 'my-privacy', 'audit'],
  geofence: ['geofences', 'visits', 'inside', 'audit'],
  rule: ['rules', 'rule-reach', 'vehicle-mutes', 'audit'],
  'vehicle-mute': ['vehicle-mutes', 'audit'],
  visit: ['visits'],
  task: ['tasks', 'my-tasks', 'audit'],
  notifications: ['notification-settings', 'rule-reach', 'my-notifications', 'audit'],
  'my-notifications': ['my-notifications', 'push'],
  'private-time': ['private-hours', 'my-privacy', 'audit'],
  webhook: ['webhooks', 'rule-reach', 'audit'],
  'webhook-delivery': ['webhook-deliveries', 'webhooks', 'rule-reach'],
  control: ['control-password', 'control-rules', 'audit'],
  command: ['commands', 'command-offer', 'audit'],
  job: ['command-runs', 'jobs', 'data-exports', 'data-imports', 'move-ins', 'report-runs'],
  // `eld` is the office's logbook, `my-duty` the driver's own on the phone.
  logbook: ['eld', 'my-duty', 'audit'],
  carrier: ['eld', 'my-duty', 'audit'],
  alert: ['alerts', 'alerts-of', 'overview'],
};
