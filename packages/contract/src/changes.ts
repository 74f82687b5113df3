import { z } from 'zod';
import type { Permission } from './roles.ts';

/**
 * What an account has and a browser may show, and who hears that it was changed: who holds the permission (null:
 * everybody of the account), and within the sight of the vehicle or driver that it is about. What is somebody's own is
 * told to them in any case; `own` is told to nobody else.
 */
export interface ChangeRule {
  readonly access: Permission | 'own' | null;
  /** Where it is somebody's own, it is nobody else's. */
  readonly isPrivate?: true;
  /** Told as it happens by an event of its own, with what it is now; here only to who was away. */
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
  /** What somebody may do: everything that they see may be another. */
  rights: { access: 'own' },
  session: { access: 'own' },
  'second-factor': { access: 'own' },
  email: { access: 'own' },
  settings: { access: null },
  branding: { access: null },
  subscription: { access: 'subscriptions.read' },
  view: { access: 'vehicles.read', isPrivate: true },
  share: { access: 'shares.read' },
  notifications: { access: 'settings.read' },
  'my-notifications': { access: 'own' },
  /** The control password and the rule of the second person. */
  control: { access: 'commands.read' },
  command: { access: 'commands.read', told: 'by-its-own-event' },
  alert: { access: 'alerts.read', told: 'by-its-own-event' },
} as const satisfies Readonly<Record<string, ChangeRule>>;
export type ChangeKind = keyof typeof CHANGE_KINDS;

const kinds = Object.keys(CHANGE_KINDS) as [ChangeKind, ...ChangeKind[]];

/** Null where its id is not for whoever hears this: something of the kind was changed. */
export const changeSchema = z
  .object({ kind: z.enum(kinds), id: z.string().nullable(), gone: z.boolean() })
  .meta({ id: 'Change' });
export type Change = z.infer<typeof changeSchema>;

/** `everything`: too much was changed to tell, or it is too long ago; what is shown is read anew. */
export const changesSchema = z
  .object({ number: z.int(), changes: z.union([z.literal('everything'), z.array(changeSchema)]) })
  .meta({ id: 'Changes' });
export type Changes = z.infer<typeof changesSchema>;

/** The last number that a browser knows, from what it was told or has read; null where it has read nothing yet. */
export const followChangesSchema = z.object({ since: z.int().min(0).nullable() });
