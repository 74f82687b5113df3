/** Who may do what: the one table that the server enforces and the web app follows (invariant I8). */

export const ROLES = ['owner', 'admin', 'dispatcher', 'viewer', 'driver'] as const;
export type Role = (typeof ROLES)[number];

/** `area.read` only shows; every other ending changes something. */
export const PERMISSIONS = [
  /** See one's own sessions, second factors and API tokens. */
  'profile.read',
  /** Change one's own profile, password, second factors, sessions and API tokens. */
  'profile.write',
  /** See vehicles, their live state and positions. */
  'vehicles.read',
  /** Create, edit, import and delete vehicles; see device keys once, when created. */
  'vehicles.write',
  /** See trackers that report to this installation but belong to no vehicle. Only in the operator's account. */
  'trackers.unknown.read',
  /** Send commands that only query a tracker, and see the result of every command to a visible vehicle. */
  'commands.read',
  /** Send commands that change how a tracker works. */
  'commands.settings',
  /** Send commands that act on the vehicle, each with the control password. */
  'commands.control',
  /** Set the account's control password. */
  'commands.password',
  /** See alerts of visible vehicles. */
  'alerts.read',
  /** Acknowledge alerts, and mute those of a vehicle. */
  'alerts.write',
  /** See the logs and hours of visible drivers, and make files of them. */
  'logbook.read',
  /** Propose changes of visible drivers' logs, assign unidentified driving, certify repairs, set up drivers' logs. */
  'logbook.write',
  /** Record duty in the log of the driver one is; support users can't (49 CFR 395 Subpart B, Appendix A, 4.1.2). */
  'logbook.own',
  /** Change what logs say about the carrier, and its terminals. */
  'logbook.settings',
  /** See the tasks of visible drivers. */
  'tasks.read',
  /** Create tasks, and give them to visible drivers. */
  'tasks.write',
  /** See links that share vehicles. */
  'shares.read',
  /** Create and revoke links that share visible vehicles. */
  'shares.write',
  /** Create links that last longer than a week. */
  'shares.long',
  /** Save views of a list for everybody in the account. */
  'views.share',
  /** See geofences, and where visible vehicles are in them. */
  'geofences.read',
  /** Create, edit, import and delete geofences and their groups. */
  'geofences.write',
  /** See rules, and test them on the past of visible vehicles. */
  'rules.read',
  /** Create, edit, turn on and delete rules. */
  'rules.write',
  /** See folders and departments. */
  'organisation.read',
  /** Create, edit and delete folders and departments. */
  'organisation.write',
  /** Put vehicles into folders and drivers into departments and vehicles. */
  'organisation.assign',
  /** See drivers. */
  'drivers.read',
  /** Create, edit and delete drivers. */
  'drivers.write',
  /** See the account's users. */
  'users.read',
  /** Create, invite, edit, deactivate and delete users who have no more permissions than oneself. */
  'users.write',
  /** Create, edit and remove owners; turn the two-person rule on or off. */
  'owners.write',
  /** Create, edit and delete custom roles. */
  'roles.write',
  /** See the account's settings beyond those that everybody needs. */
  'settings.read',
  /** Change the account's settings. */
  'settings.write',
  /** Change the name, the colors, the logo and the splash image. */
  'tenant.write',
  /** See subscriptions and the days that remain. */
  'subscriptions.read',
  /** Set private hours, and open positions that private time hides, with a reason. */
  'privacy.write',
  /** See and export the audit log. */
  'audit.read',
  /** Export all of the account's data. */
  'data.read',
  /** Import an account's exported data. */
  'data.write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What all users can do with their own data; every role has these permissions, but no API token does. */
export const PERSONAL_PERMISSIONS = ['profile.read', 'profile.write'] as const satisfies readonly Permission[];

/** Whoever runs the account is no driver by that: those who drive as well get the right by a role that says so. */
const OF_DRIVERS: Permission = 'logbook.own';

export const PERMISSIONS_OF_ROLE: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS.filter(permission => permission !== OF_DRIVERS),
  admin: PERMISSIONS.filter(permission => permission !== OF_DRIVERS && permission !== 'owners.write'),
  dispatcher: [
    ...PERSONAL_PERMISSIONS,
    'vehicles.read',
    'commands.read',
    'alerts.read',
    'alerts.write',
    'logbook.read',
    'tasks.read',
    'tasks.write',
    'shares.read',
    'shares.write',
    'geofences.read',
    'geofences.write',
    'rules.read',
    'rules.write',
    'organisation.read',
    'organisation.assign',
    'drivers.read',
  ],
  viewer: [
    ...PERSONAL_PERMISSIONS,
    'vehicles.read',
    'alerts.read',
    'tasks.read',
    'geofences.read',
    'rules.read',
    'organisation.read',
    'drivers.read',
  ],
  // Drivers see only the vehicle that is theirs at the time.
  driver: [...PERSONAL_PERMISSIONS, 'vehicles.read', OF_DRIVERS],
};

/**
 * Permissions for the account as a whole. A user limited to folders, departments or their own vehicle never has them,
 * whatever their role says.
 */
export const ACCOUNT_WIDE_PERMISSIONS = [
  'trackers.unknown.read',
  'commands.password',
  'views.share',
  'geofences.write',
  'rules.write',
  'logbook.settings',
  'owners.write',
  'roles.write',
  'settings.read',
  'settings.write',
  'tenant.write',
  'privacy.write',
  'audit.read',
  'data.read',
  'data.write',
] as const satisfies readonly Permission[];

/** A caller: the role, the permissions of a custom role or an API token, and whether it is read-only. */
export interface Actor {
  readonly role: Role;
  /** A visitor of the public demo can only look. */
  readonly readOnly: boolean;
  /** Replaces the role's permissions: those of a custom role or an API token. */
  readonly permissions?: readonly Permission[] | null;
  /** The folders and departments a user is limited to; null for the whole account. */
  readonly scope: object | null;
}

/** Whether a user is limited to a part of the account: folders and departments, or a driver's own vehicle. Owners never are. */
export const isLimited = ({ role, scope }: Pick<Actor, 'role' | 'scope'>): boolean =>
  role !== 'owner' && (role === 'driver' || scope !== null);

/** The permissions of a read-only visitor: nothing that writes, no people, no unknown trackers. */
const READ_ONLY_ROLES: ReadonlySet<Permission> = new Set([
  'vehicles.read',
  'alerts.read',
  'geofences.read',
  'rules.read',
  'logbook.read',
  'tasks.read',
  'organisation.read',
  'drivers.read',
  'settings.read',
  'subscriptions.read',
]);

export function may(actor: Actor, permission: Permission): boolean {
  return permissionsOf(actor).includes(permission);
}

export function permissionsOf(actor: Actor): readonly Permission[] {
  const named = actor.permissions ?? PERMISSIONS_OF_ROLE[actor.role];
  const held = isLimited(actor) ? named.filter(permission => !ACCOUNT_WIDE.has(permission)) : named;
  return actor.readOnly ? held.filter(permission => READ_ONLY_ROLES.has(permission)) : held;
}

/** Users can only grant permissions that they may give (`mayGive`), and only users who may manage owners can make one. */
export function mayGrant(actor: Actor, granted: Omit<Actor, 'readOnly'>): boolean {
  if (granted.role === 'owner' && !may(actor, 'owners.write')) return false;
  return permissionsOf({ ...granted, readOnly: false }).every(permission => mayGive(actor, permission));
}

/** Whether a user can put a permission into a role: one they have, or one that acts only on its holder's own data. */
export const mayGive = (actor: Actor, permission: Permission): boolean =>
  PERSONAL.has(permission) || permission === OF_DRIVERS || may(actor, permission);

const PERSONAL: ReadonlySet<Permission> = new Set(PERSONAL_PERMISSIONS);
const ACCOUNT_WIDE: ReadonlySet<Permission> = new Set(ACCOUNT_WIDE_PERMISSIONS);
