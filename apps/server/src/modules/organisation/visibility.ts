import { isLimited } from '@milepost/contract';
import { AppError } from '../../http/app-error.ts';
import type { Session } from '../../http/session.ts';
import type { Directory, DirectoryEntry } from '../vehicles/directory.ts';
import type { DrivingNow } from './driving.ts';
import type { Roster, RosterDriver } from './roster.ts';

/** Whoever looks: a session, as far as it decides what may be seen. */
export type Viewer = Pick<Session, 'accountId' | 'userId' | 'role' | 'scope'>;

/** A user of the same account, as far as it decides who may see and change them. */
export interface ScopedUser {
  readonly scope: Session['scope'];
  /** The driver that they are, whose papers and vehicle are theirs; null for somebody who is none. */
  readonly driver: { readonly departmentId: number | null } | null;
}

/**
 * Who may see and change what: those who are limited, what is in their folders and departments. That is theirs to
 * change. What they see besides because of who drives what now, they see as long as that lasts and change nothing of
 * it, so that nobody can make it theirs. A driver sees the vehicle that is theirs now. What may not be seen is answered
 * like what does not exist; what concerns the whole account is theirs who hold all of it
 * (`ACCOUNT_WIDE_PERMISSIONS` of the contract).
 */
export interface Visibility {
  /** Everything of the account: nothing has to be asked vehicle by vehicle. */
  seesAll(viewer: Viewer): boolean;
  sees(viewer: Viewer, vehicle: DirectoryEntry | null): vehicle is DirectoryEntry;
  /** Every vehicle that they may see. */
  vehicles(viewer: Viewer): DirectoryEntry[];
  /** The vehicle, or the problem `not-found`. */
  vehicle(viewer: Viewer, id: number): DirectoryEntry;
  /**
   * Whether a position of a vehicle that they see is theirs to see. Of a vehicle that they see because of who drives it,
   * that is where the same people drove: a driver sees where they drove themselves. With another driver's card it is
   * that one's; without any, the usual driver's.
   */
  seesPosition(viewer: Viewer, vehicle: DirectoryEntry, rfid: string | null): boolean;
  /** Whether what was at a time when this driver had the vehicle is theirs to see; null: nobody, or the usual one. */
  seesDrivenBy(viewer: Viewer, vehicle: DirectoryEntry, driverId: number | null): boolean;
  /** One of those because of whom they see vehicles: themselves for a driver, else the drivers of their departments. */
  isTheirs(viewer: Viewer, driver: Pick<RosterDriver, 'departmentId' | 'userId'>): boolean;
  seesDriver(viewer: Viewer, driver: Pick<RosterDriver, 'id' | 'departmentId' | 'userId'>): boolean;
  holdsVehicle(viewer: Viewer, vehicle: Pick<DirectoryEntry, 'folderId'>): boolean;
  /** The vehicle that they may change; `not-found` where they don't see it, `out-of-scope` where they only see it. */
  heldVehicle(viewer: Viewer, id: number): DirectoryEntry;
  holdsDriver(viewer: Viewer, driver: Pick<RosterDriver, 'departmentId'>): boolean;
  /** Somebody who can see no more than the viewer holds. */
  holdsUser(viewer: Viewer, user: ScopedUser): boolean;
  /** A folder or department in their scope, with what is inside it. */
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
    seesPosition: (viewer, vehicle, rfid) =>
      seesDrivenBy(viewer, vehicle, (rfid === null ? null : roster.driverOfCard(vehicle.accountId, rfid)?.id) ?? null),
    seesDriver: (viewer, driver) => {
      if (seesAll(viewer) || isTheirs(viewer, driver)) return true;
      if (viewer.role === 'driver') return false;
      const known = roster.driver(viewer.accountId, driver.id);
      const vehicle = known && driving.vehicleOf(viewer.accountId, known);
      return vehicle !== null && sees(viewer, directory.findById(vehicle.id));
    },
  };
}
