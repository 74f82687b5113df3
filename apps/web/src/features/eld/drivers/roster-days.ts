import type { listLogDays, RouteAnswer } from '@milepost/contract';

/** Days of one driver, newest first. */
export type RosterDays = RouteAnswer<typeof listLogDays>;

/** Days by driver, each list newest first. */
export function daysByDriver(days: RosterDays): ReadonlyMap<string, RosterDays> {
  const newest = days.toSorted((one, other) => other.date.localeCompare(one.date));
  return Map.groupBy(newest, ({ driverId }) => driverId);
}
