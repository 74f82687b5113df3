import { createSockets, type Sockets } from '@milepost/client';
import type { GeofenceAlert } from '@milepost/contract';
import { useSession } from '../../base/session/session.ts';
import { watchGeofences } from './geofence-watcher.ts';
import { useGeofenceWatch, useSockets } from './socket-store.ts';
import { emitVehicleEvent } from './vehicle-events.ts';

/** The signed-in user's realtime sockets. Their events are logged [R4.16], without secrets. */
export const sockets: Sockets = createSockets({
  origin: location.origin,
  getToken: () => useSession.getState().token,
  onEvent: (namespace, event, payload) => {
    if (namespace === '/eld') emitVehicleEvent(event, payload);
    else if (event === 'geofence_alert') hear(payload as unknown as GeofenceAlert);
  },
  onState: (namespace, state) => {
    console.info(`Realtime ${namespace}: ${state}`);
    useSockets.setState({ [namespace]: { state, sinceMs: Date.now() } });
  },
  log: what => console.info(`Realtime ${what}`),
});

/**
 * Handles a geofence event. If a watched vehicle was deleted, there is one fewer [R7.38]; the change feed removes it
 * from the lists.
 */
function hear(alert: GeofenceAlert): void {
  useGeofenceWatch.setState(({ registered }) => ({
    latest: alert,
    registered: alert.type === 'deleted' && alert.vehicle && registered !== null ? registered - 1 : registered,
  }));
  console.info(`Realtime /geofence: ${alert.type} ${alert.id}`);
}

/**
 * Ties both sockets to the session: they connect at sign-in [R4.08] and after a reload [R4.11], and close when it ends
 * [R4.10].
 */
export function followSession(): void {
  const follow = (token: string | null): void => {
    if (token !== null) sockets.connect();
    else {
      sockets.disconnect();
      useGeofenceWatch.setState({ registered: null, latest: null });
    }
  };
  watchGeofences(sockets);
  follow(useSession.getState().token);
  useSession.subscribe((now, before) => {
    if (now.token === before.token) return;
    if (before.token !== null) follow(null);
    if (now.token !== null) follow(now.token);
  });
}
