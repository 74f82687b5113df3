import { listVehicleMutes, type MuteBody, may, muteVehicle, type VehicleMute } from '@milepost/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../base/api.ts';
import { queryClient } from '../../base/queries.ts';
import { useSession } from '../../base/session/session.ts';
import { useMinute } from '../../live/view.ts';

const mutesQuery = queryOptions({ queryKey: ['vehicle-mutes'], queryFn: () => call(listVehicleMutes) });

/** What is muted right now of the vehicles one sees; what is over while the page is open is left out. */
export function useVehicleMutes(): readonly VehicleMute[] {
  const mayRead = useSession(({ me }) => me !== null && may(me, 'alerts.read'));
  const { data = [] } = useQuery({ ...mutesQuery, enabled: mayRead });
  const nowMs = useMinute();
  return data.filter(({ until }) => until === null || Date.parse(until) > nowMs);
}

export const useMayMuteVehicles = (): boolean => useSession(({ me }) => me !== null && may(me, 'alerts.write'));

/** Mutes a rule, a built-in alert, or with null all alerts for one vehicle, or ends that. */
export async function setVehicleMute(
  deviceId: string,
  about: VehicleMute['about'],
  mute: MuteBody['mute'],
): Promise<void> {
  const own = await call(muteVehicle, { params: { id: deviceId }, body: { about, mute } });
  queryClient.setQueryData(
    mutesQuery.queryKey,
    all => all && [...all.filter(one => one.deviceId !== deviceId), ...own],
  );
}
