import { AppError } from '../../http/app-error.ts';
import type { Session } from '../../http/session.ts';
import type { Directory, DirectoryEntry } from '../vehicles/directory.ts';
import type { DrivingNow } from './driving.ts';
import type { Roster, RosterDriver } from './roster.ts';

/** Whoever looks: a session, as far as it decides what may be seen. */
export type Viewer = Pick<Session, 'accountId' | 'userId' | 'role' | 'scope'>;

/**
 * Which vehicles and drivers somebody may see: those of their account, within their scope of folders and departments;
 * a driver the vehicle that is theirs now. What may not be seen is answered like what does not exist.
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
   * Whether a position of a vehicle that they see is theirs to see: a driver sees where they drove themselves. With
   * another driver's card it is that one's; without any, the usual driver's.
   */
  seesPosition(viewer: Viewer, vehicle: DirectoryEntry, rfid: string | null): boolean;
  seesDriver(viewer: Viewer, driver: Pick<RosterDriver, 'id' | 'departmentId' | 'userId'>): boolean;
  /** A folder or department in their scope, with what is inside it. */
  holds(kind: 'folder' | 'department', viewer: Viewer, groupId: number | null): boolean;
}

export interface VisibilityParts {
  readonly directory: Directory;
  readonly roster: Roster;
  readonly driving: DrivingNow;
}

export function createVisibility({ directory, roster, driving }: VisibilityParts): Visibility {
  const seesAll = ({ role, scope }: Viewer): boolean => role === 'owner' || (role !== 'driver' && !scope);

  const holds: Visibility['holds'] = (kind, viewer, groupId) => {
    if (seesAll(viewer)) return true;
    if (viewer.role === 'driver' || !viewer.scope) return false;
    const ids = kind === 'folder' ? viewer.scope.folderIds : viewer.scope.departmentIds;
    return ids.length > 0 && roster.isInside(kind, viewer.accountId, groupId, new Set(ids));
  };

  const sees = (viewer: Viewer, vehicle: DirectoryEntry | null): vehicle is DirectoryEntry => {
    if (vehicle?.accountId !== viewer.accountId) return false;
    if (seesAll(viewer)) return true;
    if (holds('folder', viewer, vehicle.folderId)) return true;
    const driver = driving.of(vehicle)?.driver;
    if (!driver) return false;
    return viewer.role === 'driver'
      ? driver.userId === viewer.userId
      : holds('department', viewer, driver.departmentId);
  };

  return {
    seesAll,
    sees,
    holds,
    vehicles: viewer => [...directory.ofAccount(viewer.accountId)].filter(vehicle => sees(viewer, vehicle)),
    vehicle: (viewer, id) => {
      const vehicle = directory.findById(id);
      if (!sees(viewer, vehicle)) throw new AppError('not-found');
      return vehicle;
    },
    seesPosition: (viewer, { accountId, usualDriverId }, rfid) => {
      if (viewer.role !== 'driver') return true;
      const holder = rfid === null ? null : roster.driverOfCard(accountId, rfid);
      const usual = usualDriverId === null ? null : roster.driver(accountId, usualDriverId);
      return (holder ?? usual)?.userId === viewer.userId;
    },
    seesDriver: (viewer, driver) => {
      if (seesAll(viewer)) return true;
      if (viewer.role === 'driver') return driver.userId === viewer.userId;
      if (holds('department', viewer, driver.departmentId)) return true;
      const known = roster.driver(viewer.accountId, driver.id);
      const vehicle = known && driving.vehicleOf(viewer.accountId, known);
      return vehicle !== null && sees(viewer, directory.findById(vehicle.id));
    },
  };
}
