/** Who may do what. The one table that the server enforces and the web shows or hides by (invariant I8). */

export const ROLES = ['owner', 'admin', 'dispatcher', 'viewer', 'driver'] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  /** See vehicles, their live state and positions. */
  'vehicles.read',
  /** Create, change, import and delete vehicles; see device keys once, when made. */
  'vehicles.write',
  /** See trackers that report to this installation and belong to no vehicle. Only in the operator's account. */
  'trackers.unknown.read',
  /** Publish read commands to a tracker (`user/{imei}`). */
  'commands.read',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

const EVERYTHING: readonly Permission[] = PERMISSIONS;

export const PERMISSIONS_OF_ROLE: Readonly<Record<Role, readonly Permission[]>> = {
  owner: EVERYTHING,
  admin: EVERYTHING,
  dispatcher: ['vehicles.read', 'commands.read'],
  viewer: ['vehicles.read'],
  // A driver sees only what is theirs; until a vehicle can be assigned to a driver, that is nothing.
  driver: [],
};

/** A session is a role, and may be read-only (the public demo's visitor). */
export interface Actor {
  readonly role: Role;
  readonly readOnly: boolean;
}

/** What is kept from whoever only looks: all that writes, and the addresses of strangers' trackers. */
const REFUSED_TO_LOOKERS: ReadonlySet<Permission> = new Set([
  'vehicles.write',
  'commands.read',
  'trackers.unknown.read',
]);

export function may(actor: Actor, permission: Permission): boolean {
  if (actor.readOnly && REFUSED_TO_LOOKERS.has(permission)) return false;
  return PERMISSIONS_OF_ROLE[actor.role].includes(permission);
}
