import { type Driver, type DrivingSource, listDrivers, may } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { DRIVERS_KEY } from '../../../organisation/driver-list.ts';
import { driverOf } from '../../../vehicles/vehicle-words.ts';

interface DriverNow {
  readonly id: string;
  readonly name: string;
  /** How we know who drives. */
  readonly source: DrivingSource | undefined;
  /** Null: no number. Undefined: still loading, or hidden from this user. */
  readonly phone: string | null | undefined;
}

/** Who drives a vehicle now, and their phone number if the viewer may see it. */
export function useDriver(entry: VehicleEntry): DriverNow | null {
  const driver = driverOf(entry);
  const mayRead = useSession(({ me }) => me !== null && may(me, 'drivers.read'));
  const { data: drivers } = useQuery({
    queryKey: DRIVERS_KEY,
    queryFn: () => call(listDrivers),
    enabled: mayRead && driver !== null,
    staleTime: 60_000,
  });
  if (!driver) return null;
  const person: Driver | undefined = drivers?.find(({ id }) => id === driver.id);
  const listed = entry.vehicle.driver;
  const source = listed?.id === driver.id ? listed.source : person?.vehicle?.source;
  return { ...driver, source, phone: person?.phone };
}

/** Link that dials a phone number. */
export const telephone = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;
