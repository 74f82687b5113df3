import { SocketError, type Sockets } from '@milepost/client';
import type { Vehicle } from '@milepost/contract';
import { queryClient } from '../../base/queries.ts';
import { vehicleListQuery } from '../vehicle-list.ts';
import { useGeofenceWatch, useSockets } from './socket-store.ts';

/**
 * The geofence watcher, which has no page of its own [R2.24]. While a user is signed in, it registers their vehicles
 * after each connection and whenever the list changes, and receives their geofence events.
 */
export function watchGeofences(sockets: Sockets): void {
  let registered = '';

  const register = async (): Promise<void> => {
    const vehicles = await queryClient.fetchQuery({ ...vehicleListQuery, staleTime: 60_000 });
    const imeis = vehicles.map(({ imei }) => imei);
    const key = imeis.toSorted().join(' ');
    if (key === registered || useSockets.getState()['/geofence'].state !== 'connected') return;
    registered = key;
    const since = useGeofenceWatch.getState().latest?.id ?? null;
    const answer = await sockets.ask('/geofence', 'register_vehicles', {
      vehicles: imeis.map(imei => ({ imei })),
      since,
    });
    useGeofenceWatch.setState({ registered: answer.registered });
    console.info(`Realtime /geofence: ${answer.registered} registered`);
  };
  const tryToRegister = (): void => {
    register().catch((error: unknown) => {
      // Registering is tried again after the next connection or list.
      registered = '';
      console.info(`Realtime /geofence: ${error instanceof SocketError ? error.code : 'not registered'}`);
    });
  };

  useSockets.subscribe((now, before) => {
    if (now['/geofence'].state === before['/geofence'].state) return;
    registered = '';
    if (now['/geofence'].state === 'connected') tryToRegister();
    else useGeofenceWatch.setState({ registered: null });
  });
  const [key] = vehicleListQuery.queryKey;
  queryClient.getQueryCache().subscribe(event => {
    // React only to a list that has been read: requesting it while it is invalid or loading would read it over and
    // over.
    if (event.type !== 'updated' || event.action.type !== 'success') return;
    const { query } = event;
    if (query.queryKey[0] !== key || query.queryKey.length > 1) return;
    const vehicles = query.state.data as readonly Vehicle[] | undefined;
    if (vehicles && useSockets.getState()['/geofence'].state === 'connected') tryToRegister();
  });
}
