import { createSockets, type Sockets } from '@milepost/client';
import type { GeofenceAlert } from '@milepost/contract';
import { useSession } from '../../base/session/session.ts';
import { watchGeofences } from './geofence-watcher.ts';
import { useGeofenceWatch, useSockets } from './socket-store.ts';
import { emitVehicleEvent } from './vehicle-events.ts';

/** The realtime sockets of the signed-in user. Their events are logged [R4.16], but no secrets. */
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

/** A watched geofence or vehicle that was deleted is watched no more [R7.38]; the change feed removes it from the lists. */
function hear(alert: GeofenceAlert): void {
  useGeofenceWatch.setState(({ registered }) => ({
    latest: alert,
    registered: alert.type === 'deleted' && alert.vehicle && registered !== null ? registered - 1 : registered,
  }));
  console.info(`Realtime /geofence: ${alert.type} ${alert.id}`);
}

/**
 * Both sockets belong to the session: started on authentication [R4.08], also after a reload [R4.11], and torn down when
 * it ends [R4.10].
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
