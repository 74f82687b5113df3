/** Who may do what. The one table that the server enforces and the web shows or hides by (invariant I8). */

export const ROLES = ['owner', 'admin', 'dispatcher', 'viewer', 'driver'] as const;
export type Role = (typeof ROLES)[number];

/** `area.read` shows and changes nothing; every other ending changes something. */
export const PERMISSIONS = [
  /** See one's own sessions, second factors and API tokens. */
  'profile.read',
  /** Change one's own profile, password, second factors, sessions and API tokens. */
  'profile.write',
  /** See vehicles, their live state and positions. */
  'vehicles.read',
  /** Create, change, import and delete vehicles; see device keys once, when made. */
  'vehicles.write',
  /** See trackers that report to this installation and belong to no vehicle. Only in the operator's account. */
  'trackers.unknown.read',
  /** Send commands that only ask a tracker, and see what became of every command to a vehicle in sight. */
  'commands.read',
  /** Send commands that change how a tracker works. */
  'commands.settings',
  /** Send commands that act on the vehicle, each with the control password. */
  'commands.control',
  /** Set the account's control password. */
  'commands.password',
  /** See alerts of vehicles in sight. */
  'alerts.read',
  /** Acknowledge alerts. */
  'alerts.write',
  /** Send tasks to drivers in sight. */
  'tasks.write',
  /** See links that share vehicles. */
  'shares.read',
  /** Make and revoke links that share vehicles in sight. */
  'shares.write',
  /** Make links that last longer than a week. */
  'shares.long',
  /** Keep views of a list for everybody in the account. */
  'views.share',
  /** See folders and departments. */
  'organisation.read',
  /** Create, change and delete folders and departments. */
  'organisation.write',
  /** Put vehicles into folders and drivers into departments and vehicles. */
  'organisation.assign',
  /** See drivers. */
  'drivers.read',
  /** Create, change and delete drivers. */
  'drivers.write',
  /** See the account's users. */
  'users.read',
  /** Create, invite, change, deactivate and delete users who hold no more than oneself. */
  'users.write',
  /** Make, change and remove owners; switch the rule of the second person. */
  'owners.write',
  /** Make, change and delete custom roles. */
  'roles.write',
  /** See the account's settings beyond what everybody needs. */
  'settings.read',
  /** Change the account's settings. */
  'settings.write',
  /** Change the name, the colours, the logo and the splash image. */
  'tenant.write',
  /** See subscriptions and the days that remain. */
  'subscriptions.read',
  /** See and export the audit log. */
  'audit.read',
  /** Export all that the account has. */
  'data.read',
  /** Import what an account has exported. */
  'data.write',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** What all users can do with their own data; every role has it, and no API token. */
export const PERSONAL_PERMISSIONS = ['profile.read', 'profile.write'] as const satisfies readonly Permission[];

export const PERMISSIONS_OF_ROLE: Readonly<Record<Role, readonly Permission[]>> = {
  owner: PERMISSIONS,
  admin: PERMISSIONS.filter(permission => permission !== 'owners.write'),
  dispatcher: [
    ...PERSONAL_PERMISSIONS,
    'vehicles.read',
    'commands.read',
    'alerts.read',
    'alerts.write',
    'tasks.write',
    'shares.read',
    'shares.write',
    'organisation.read',
    'organisation.assign',
    'drivers.read',
  ],
  viewer: [...PERSONAL_PERMISSIONS, 'vehicles.read', 'alerts.read', 'organisation.read', 'drivers.read'],
  // Of vehicles, a driver sees the one that is theirs at the time.
  driver: [...PERSONAL_PERMISSIONS, 'vehicles.read'],
};

/**
 * What concerns the account as a whole. Nobody has it who is limited to folders, departments or their own vehicle,
 * whatever their role says.
 */
export const ACCOUNT_WIDE_PERMISSIONS = [
  'trackers.unknown.read',
  'commands.password',
  'views.share',
  'owners.write',
  'roles.write',
  'settings.read',
  'settings.write',
  'tenant.write',
  'audit.read',
  'data.read',
  'data.write',
] as const satisfies readonly Permission[];

/** A caller: its role, its own permissions for a custom role or an API token, and whether it is read-only. */
export interface Actor {
  readonly role: Role;
  /** The public demo's visitor only looks. */
  readonly readOnly: boolean;
  /** Instead of the role's own: a custom role's, or an API token's. */
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

/** Nobody can grant more than they have, and only users who may make owners can make one. */
export function mayGrant(actor: Actor, granted: Omit<Actor, 'readOnly'>): boolean {
  if (granted.role === 'owner' && !may(actor, 'owners.write')) return false;
  return permissionsOf({ ...granted, readOnly: false }).every(
    permission => PERSONAL.has(permission) || may(actor, permission),
  );
}

const PERSONAL: ReadonlySet<Permission> = new Set(PERSONAL_PERMISSIONS);
const ACCOUNT_WIDE: ReadonlySet<Permission> = new Set(ACCOUNT_WIDE_PERMISSIONS);
