import { isLimited } from '@milepost/contract';
import { AppError } from '../app-error.ts';
import type { Session } from '../http/session.ts';
import type { Directory, DirectoryEntry } from './directory.ts';
import type { DrivingNow } from './driving.ts';
import type { Roster, RosterDriver } from './roster.ts';

/** The viewer: the fields of a session that decide what they may see. */
export type Viewer = Pick<Session, 'accountId' | 'userId' | 'role' | 'scope'>;

/** A user of the same account: the fields that decide who may see and change them. */
export interface ScopedUser {
  readonly scope: Session['scope'];
  /** The user's own driver record, whose documents and vehicle they can see; null if they are not a driver. */
  readonly driver: { readonly departmentId: number | null } | null;
}

/**
 * Who may see and change what. Limited users see and change what is in their folders and departments. They also see
 * vehicles and drivers through who drives what now, only while that lasts, and can't change them, so that nobody can
 * extend their scope that way. A driver sees the vehicle they drive now. What a user may not see is answered like
 * what does not exist. Only users whose scope is the whole account have the permissions that concern all of it
 * (`ACCOUNT_WIDE_PERMISSIONS` of the contract).
 */
export interface Visibility {
  /** Whether the viewer sees the whole account, so that no check of each vehicle is needed. */
  seesAll(viewer: Viewer): boolean;
  sees(viewer: Viewer, vehicle: DirectoryEntry | null): vehicle is DirectoryEntry;
  /** Every vehicle that the viewer sees. */
  vehicles(viewer: Viewer): DirectoryEntry[];
  /** The vehicle, or the problem `not-found`. */
  vehicle(viewer: Viewer, id: number): DirectoryEntry;
  /**
   * Whether the viewer may see a position of a vehicle that they see. If they see the vehicle because of its driver,
   * they see only the positions where the same drivers drove: a driver sees only their own driving. Whose a position is
   * follows from who drove then: whoever was signed in, else the holder of its card, else the usual driver of that time.
   */
  seesPosition(viewer: Viewer, vehicle: DirectoryEntry, rfid: string | null, atMs: number): boolean;
  /** Whether the viewer may see events from when this driver had the vehicle; null for no driver, or the usual one. */
  seesDrivenBy(viewer: Viewer, vehicle: DirectoryEntry, driverId: number | null): boolean;
  /**
   * Whether the viewer sees vehicles because of this driver: themselves for a driver, else a driver of their
   * departments.
   */
  isTheirs(viewer: Viewer, driver: Pick<RosterDriver, 'departmentId' | 'userId'>): boolean;
  seesDriver(viewer: Viewer, driver: Pick<RosterDriver, 'id' | 'departmentId' | 'userId'>): boolean;
  holdsVehicle(viewer: Viewer, vehicle: Pick<DirectoryEntry, 'folderId'>): boolean;
  /**
   * The vehicle, if the viewer may change it. Throws `not-found` if they don't see it, `out-of-scope` if they only
   * see it.
   */
  heldVehicle(viewer: Viewer, id: number): DirectoryEntry;
  holdsDriver(viewer: Viewer, driver: Pick<RosterDriver, 'departmentId'>): boolean;
  /** Whether the user's scope is within the viewer's. */
  holdsUser(viewer: Viewer, user: ScopedUser): boolean;
  /** Whether a folder or department is in the viewer's scope, directly or inside another. */
  holds(kind: 'folder' | 'department', viewer: Viewer, groupId: number | null): boolean;
}

export interface VisibilityParts {
  readonly directory: Directory;
  readonly roster: Roster;
  readonly driving: DrivingNow;
}

export function createVisibility({ directory, roster, driving }: VisibilityParts): Visibility {
  const seesAll = (viewer: Viewer): boolean => !isLimited(viewer);

  const holds: Visibility['holds'] = (kind, viewer, groupId) => {
    if (seesAll(viewer)) return true;
    if (viewer.role === 'driver' || !viewer.scope) return false;
    const ids = kind === 'folder' ? viewer.scope.folderIds : viewer.scope.departmentIds;
    return ids.length > 0 && roster.isInside(kind, viewer.accountId, groupId, new Set(ids));
  };

  const isTheirs: Visibility['isTheirs'] = (viewer, driver) =>
    viewer.role === 'driver' ? driver.userId === viewer.userId : holds('department', viewer, driver.departmentId);
  const holdsVehicle: Visibility['holdsVehicle'] = (viewer, { folderId }) => holds('folder', viewer, folderId);

  const sees = (viewer: Viewer, vehicle: DirectoryEntry | null): vehicle is DirectoryEntry => {
    if (vehicle?.accountId !== viewer.accountId) return false;
    if (holdsVehicle(viewer, vehicle)) return true;
    const driver = driving.of(vehicle)?.driver;
    return driver !== undefined && isTheirs(viewer, driver);
  };
  const seesDrivenBy: Visibility['seesDrivenBy'] = (viewer, vehicle, driverId) => {
    if (holdsVehicle(viewer, vehicle)) return true;
    const id = driverId ?? vehicle.usualDriverId;
    const driver = id === null ? null : roster.driver(vehicle.accountId, id);
    return driver !== null && isTheirs(viewer, driver);
  };
  const visible: Visibility['vehicle'] = (viewer, id) => {
    const vehicle = directory.findById(id);
    if (!sees(viewer, vehicle)) throw new AppError('not-found');
    return vehicle;
  };

  return {
    seesAll,
    sees,
    holds,
    vehicles: viewer => [...directory.ofAccount(viewer.accountId)].filter(vehicle => sees(viewer, vehicle)),
    vehicle: visible,
    holdsVehicle,
    heldVehicle: (viewer, id) => {
      const vehicle = visible(viewer, id);
      if (!holdsVehicle(viewer, vehicle)) throw new AppError('out-of-scope');
      return vehicle;
    },
    holdsDriver: (viewer, { departmentId }) => holds('department', viewer, departmentId),
    holdsUser: (viewer, { scope, driver }) => {
      if (seesAll(viewer)) return true;
      if (scope === null || (driver && !holds('department', viewer, driver.departmentId))) return false;
      return (
        scope.folderIds.every(id => holds('folder', viewer, id)) &&
        scope.departmentIds.every(id => holds('department', viewer, id))
      );
    },
    isTheirs,
    seesDrivenBy,
    seesPosition: (viewer, vehicle, rfid, atMs) => {
      if (holdsVehicle(viewer, vehicle)) return true;
      const driver = driving.at(vehicle, atMs, rfid)?.driver;
      return driver !== undefined && isTheirs(viewer, driver);
    },
    seesDriver: (viewer, driver) => {
      if (seesAll(viewer) || isTheirs(viewer, driver)) return true;
      if (viewer.role === 'driver') return false;
      const known = roster.driver(viewer.accountId, driver.id);
      const vehicle = known && driving.vehicleOf(viewer.accountId, known);
      return vehicle !== null && sees(viewer, directory.findById(vehicle.id));
    },
  };
}
