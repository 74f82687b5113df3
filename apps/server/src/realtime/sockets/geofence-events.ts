import { SOCKET_EVENTS } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { AskHandlers } from './ask.ts';
import { listeners, type SocketParts } from './listeners.ts';
import type { SocketClient } from './socket-clients.ts';

/**
 * The namespace `/geofence` [R7.37]: who has registered vehicles hears what geofences say of them. What one may see is
 * asked at every alert; the list that was registered only narrows it.
 */
export function serveGeofenceEvents({ signals }: Context, parts: SocketParts): AskHandlers<'/geofence'> {
  const { directory, visibility } = parts;
  const registered = new WeakMap<SocketClient, ReadonlySet<string>>();
  const { access } = SOCKET_EVENTS['/geofence'].told.geofence_alert;

  signals.on('geofence-alert', ({ alert, ...of }) => {
    for (const client of listeners(parts, '/geofence', of, access)) {
      if (!registered.get(client)?.has(alert.vehicle.imei)) continue;
      client.outbox.offer(`geofence ${alert.id}`, 'geofence_alert', alert);
    }
  });

  return {
    register_vehicles: (client, { vehicles }) => {
      const imeis = new Set(vehicles.map(({ imei }) => imei));
      const isSeen = (imei: string): boolean => visibility.sees(client.session, directory.findByImei(imei));
      registered.set(client, new Set([...imeis].filter(isSeen)));
      const ignored = [...imeis].filter(imei => !isSeen(imei));
      return { registered: imeis.size - ignored.length, ignored };
    },
  };
}
