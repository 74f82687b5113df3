import { type AlertKind, may } from '@milepost/contract';
import { type Expression, sql } from 'kysely';
import type { Organisation } from '../../fleet/organisation.ts';
import type { Session } from '../../http/session.ts';

type Listener = Pick<Session, 'accountId' | 'role' | 'permissions' | 'readOnly' | 'scope' | 'userId'>;
type Asked = { readonly kind: AlertKind; readonly askedBy: { readonly id: string } | null };

/** What decides who may know of an alert. */
export interface AboutAlert {
  readonly kind: AlertKind;
  /** Null of a task without a vehicle. */
  readonly vehicleId: number | null;
  /** Who drove it then, or has the task. */
  readonly driverId: number | null;
  /** The user who created the task that it is about. */
  readonly taskBy: string | null;
  /** The user who requested the command it is about. */
  readonly askedBy: string | null;
}

/** Asks for a decision: shown only to users who could be the second person, unlike all other alerts. */
export const REQUEST: AlertKind = 'secondPerson';

/** Whether an alert is for this user, before looking at which vehicles they can see. */
export const isFor = (user: Omit<Listener, 'accountId'>, { kind, askedBy }: Asked): boolean =>
  kind !== REQUEST || (may(user, 'commands.control') && askedBy?.id !== user.userId);

/**
 * Whether someone may know of an alert now: they see its vehicle and were allowed to then; of a task without a vehicle,
 * those who may see the task.
 */
export function seesAlert(
  user: Listener,
  { askedBy, driverId, kind, taskBy, vehicleId }: AboutAlert,
  { directory, roster, visibility }: Pick<Organisation, 'directory' | 'roster' | 'visibility'>,
): boolean {
  if (!isFor(user, { kind, askedBy: askedBy === null ? null : { id: askedBy } })) return false;
  if (vehicleId !== null) {
    const vehicle = directory.findById(vehicleId);
    return visibility.sees(user, vehicle) && visibility.seesDrivenBy(user, vehicle, driverId);
  }
  if (!may(user, 'tasks.read')) return false;
  if (visibility.seesAll(user)) return true;
  if (driverId === null) return taskBy === user.userId;
  const driver = roster.driver(user.accountId, driverId);
  return driver !== null && visibility.seesDriver(user, driver);
}

/** The rows of `alert` that are for this user, before looking at which vehicles and drivers they can see. */
export const isForSql = (session: Listener): Expression<boolean> => {
  const ofTasks = may(session, 'tasks.read') ? sql<boolean>`true` : sql<boolean>`alert.vehicle_id is not null`;
  return may(session, 'commands.control')
    ? sql<boolean>`(${ofTasks} and (kind <> ${REQUEST} or exists (
        select from command where command.id = alert.command_id and created_by is distinct from ${session.userId})))`
    : sql<boolean>`(${ofTasks} and kind <> ${REQUEST})`;
};
