import { type LogDay, may } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '../../../base/session/session.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { readVehicleTrack } from '../../../tracks/read-track.ts';

/** The track of the vehicle in a day's log; undefined while loading, and if there is no vehicle. */
export function useDayTrack(day: LogDay | undefined) {
  const maySee = useSession(({ me }) => me !== null && may(me, 'vehicles.read'));
  const { data: vehicles } = useQuery({ ...vehicleListQuery, enabled: maySee });
  const name = day?.vehicles[0];
  const vehicleId = vehicles?.find(({ deviceName }) => deviceName === name)?.id;
  const { data } = useQuery({
    queryKey: ['log-track', vehicleId, day?.from, day?.to],
    enabled: maySee && vehicleId !== undefined && day !== undefined,
    queryFn: () => readVehicleTrack(vehicleId as string, Date.parse(day?.from ?? ''), Date.parse(day?.to ?? '') - 1),
  });
  return data;
}
