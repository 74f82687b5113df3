import type { Permission } from '@milepost/contract';

interface Area {
  readonly id:
    | 'vehicles'
    | 'unknown'
    | 'commands'
    | 'trackerSettings'
    | 'controls'
    | 'controlPassword'
    | 'alerts'
    | 'tasks'
    | 'shares'
    | 'longShares'
    | 'views'
    | 'geofences'
    | 'rules'
    | 'logbook'
    | 'ownLog'
    | 'carrier'
    | 'organisation'
    | 'drivers'
    | 'users'
    | 'owners'
    | 'roles'
    | 'settings'
    | 'tenant'
    | 'subscriptions'
    | 'privateTime'
    | 'audit'
    | 'data';
  readonly see: Permission | null;
  readonly change: Permission | null;
  /** A weaker right than `change`: assigning items to existing folders. */
  readonly assign?: Permission;
}

/** The areas of the product in the order in which a role's rights are shown. */
export const AREAS: readonly Area[] = [
  { id: 'vehicles', see: 'vehicles.read', change: 'vehicles.write' },
  { id: 'commands', see: null, change: 'commands.read' },
  { id: 'trackerSettings', see: null, change: 'commands.settings' },
  { id: 'controls', see: null, change: 'commands.control' },
  { id: 'controlPassword', see: null, change: 'commands.password' },
  { id: 'alerts', see: 'alerts.read', change: 'alerts.write' },
  { id: 'tasks', see: 'tasks.read', change: 'tasks.write' },
  { id: 'shares', see: 'shares.read', change: 'shares.write' },
  { id: 'longShares', see: null, change: 'shares.long' },
  { id: 'views', see: null, change: 'views.share' },
  { id: 'geofences', see: 'geofences.read', change: 'geofences.write' },
  { id: 'rules', see: 'rules.read', change: 'rules.write' },
  { id: 'logbook', see: 'logbook.read', change: 'logbook.write' },
  { id: 'ownLog', see: null, change: 'logbook.own' },
  { id: 'carrier', see: null, change: 'logbook.settings' },
  {
    id: 'organisation',
    see: 'organisation.read',
    change: 'organisation.write',
    assign: 'organisation.assign',
  },
  { id: 'drivers', see: 'drivers.read', change: 'drivers.write' },
  { id: 'users', see: 'users.read', change: 'users.write' },
  { id: 'owners', see: null, change: 'owners.write' },
  { id: 'roles', see: null, change: 'roles.write' },
  { id: 'settings', see: 'settings.read', change: 'settings.write' },
  { id: 'tenant', see: null, change: 'tenant.write' },
  { id: 'subscriptions', see: 'subscriptions.read', change: null },
  { id: 'privateTime', see: null, change: 'privacy.write' },
  { id: 'audit', see: 'audit.read', change: null },
  { id: 'data', see: 'data.read', change: 'data.write' },
  { id: 'unknown', see: 'trackers.unknown.read', change: null },
];

export const permissionsOfArea = ({ see, change, assign }: Area): readonly Permission[] =>
  [see, assign ?? null, change].filter(permission => permission !== null);
