import { z } from 'zod';
import type { Permission } from './roles.ts';

/**
 * The kinds of account data a browser can show, and who is notified of changes: users with the permission (null:
 * everyone in the account) who can see the vehicle or driver it is about. Users are always notified of changes to their
 * own data; for `own` kinds, nobody else is.
 */
export interface ChangeRule {
  readonly access: Permission | 'own' | null;
  /** Belongs to one user; nobody else is notified. */
  readonly isPrivate?: true;
  /** Announced live by its own event, with the new state; listed here only for clients that were offline. */
  readonly told?: 'by-its-own-event';
}

export const CHANGE_KINDS = {
  vehicle: { access: 'vehicles.read' },
  folder: { access: 'organisation.read' },
  department: { access: 'organisation.read' },
  driver: { access: 'drivers.read' },
  document: { access: 'vehicles.read' },
  user: { access: 'users.read' },
  role: { access: 'users.read' },
  /** A user's rights: everything they can see may be different now. */
  rights: { access: 'own' },
  session: { access: 'own' },
  'second-factor': { access: 'own' },
  email: { access: 'own' },
  settings: { access: null },
  branding: { access: null },
  subscription: { access: 'subscriptions.read' },
  view: { access: 'vehicles.read', isPrivate: true },
  share: { access: 'shares.read' },
  /** A geofence or a group of them. */
  geofence: { access: 'geofences.read' },
  rule: { access: 'rules.read' },
  /** What is muted of the vehicle with the id. */
  'vehicle-mute': { access: 'alerts.read' },
  /** Visits to geofences of the vehicle with the id; of many vehicles, the id is empty. */
  visit: { access: 'vehicles.read' },
  /** A task, for those who see its driver, and the driver. */
  task: { access: 'tasks.read' },
  notifications: { access: 'settings.read' },
  'my-notifications': { access: 'own' },
  /** Private hours, private drives and openings of hidden positions, for those who see the driver or the vehicle. */
  'private-time': { access: 'profile.read' },
  webhook: { access: 'settings.write' },
  /** Of the webhook with the id. */
  'webhook-delivery': { access: 'settings.write' },
  /** The control password and the two-person rule. */
  control: { access: 'commands.read' },
  command: { access: 'commands.read', told: 'by-its-own-event' },
  /** How far work that goes on without its page is: for whoever started it, and those who administer the account. */
  job: { access: 'settings.write' },
  /** A driver's log, or with the id `unidentified:7` unidentified driving of a vehicle. Its driver is always notified. */
  logbook: { access: 'logbook.read' },
  /** What logs say about the carrier. */
  carrier: { access: 'logbook.read' },
  alert: { access: 'alerts.read', told: 'by-its-own-event' },
} as const satisfies Readonly<Record<string, ChangeRule>>;
export type ChangeKind = keyof typeof CHANGE_KINDS;

const kinds = Object.keys(CHANGE_KINDS) as [ChangeKind, ...ChangeKind[]];

/** Null if the user may not know the id: something of this kind changed. */
export const changeSchema = z
  .object({ kind: z.enum(kinds), id: z.string().nullable(), gone: z.boolean() })
  .meta({ id: 'Change' });
export type Change = z.infer<typeof changeSchema>;

/** `everything`: too many changes, or too long ago; refetch everything on screen. */
export const changesSchema = z
  .object({ number: z.int(), changes: z.union([z.literal('everything'), z.array(changeSchema)]) })
  .meta({ id: 'Changes' });
export type Changes = z.infer<typeof changesSchema>;

/** The last change number a browser knows; null if it has read nothing yet. */
export const followChangesSchema = z.object({ since: z.int().min(0).nullable() });
