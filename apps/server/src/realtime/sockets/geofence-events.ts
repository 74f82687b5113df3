import { randomUUID } from 'node:crypto';
import { type GeofenceAlert, SOCKET_EVENTS } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { AskHandlers } from './ask.ts';
import { listeners, type SocketParts } from './listeners.ts';
import type { SocketClient } from './socket-clients.ts';

type Registered = Pick<DirectoryEntry, 'id' | 'imei' | 'name'>;

/**
 * The namespace `/geofence` [R7.37]: clients that registered vehicles receive what geofences say of them. What a user may
 * see is checked at every alert; the registered list only narrows it. When a vehicle is deleted, those that registered
 * it are told, and it is registered no more [R7.38].
 */
export function serveGeofenceEvents({ signals }: Context, parts: SocketParts): AskHandlers<'/geofence'> {
  const { clients, directory, visibility } = parts;
  /** By IMEI. */
  const registered = new WeakMap<SocketClient, Map<string, Registered>>();
  const { access } = SOCKET_EVENTS['/geofence'].told.geofence_alert;

  signals.on('geofence-alert', ({ alert, ...of }) => {
    for (const client of listeners(parts, '/geofence', of, access)) {
      if (!registered.get(client)?.has(alert.vehicle.imei)) continue;
      client.outbox.offer(`geofence ${alert.id}`, 'geofence_alert', alert);
    }
  });

  signals.on('vehicle-changed', ({ vehicleId, accountId }) => {
    if (directory.findById(vehicleId) !== null) return;
    for (const client of clients.of('/geofence', accountId)) {
      const known = registered.get(client);
      for (const vehicle of known?.values() ?? []) {
        if (vehicle.id !== vehicleId) continue;
        known?.delete(vehicle.imei);
        const alert = deletedAlert(vehicle);
        client.outbox.offer(`geofence ${alert.id}`, 'geofence_alert', alert);
      }
    }
  });

  return {
    register_vehicles: (client, { vehicles }) => {
      const imeis = new Set(vehicles.map(({ imei }) => imei));
      const seen = [...imeis].flatMap((imei): [string, Registered][] => {
        const vehicle = directory.findByImei(imei);
        if (!visibility.sees(client.session, vehicle)) return [];
        return [[imei, { id: vehicle.id, imei, name: vehicle.name }]];
      });
      const known = new Map(seen);
      registered.set(client, known);
      return { registered: known.size, ignored: [...imeis].filter(imei => !known.has(imei)) };
    },
  };
}

function deletedAlert({ id, imei, name }: Registered): GeofenceAlert {
  const at = new Date().toISOString();
  return {
    v: 1,
    id: randomUUID(),
    type: 'deleted',
    severity: 'info',
    fence: null,
    vehicle: { deviceId: String(id), imei, deviceName: name },
    driver: null,
    rule: null,
    state: 'closed',
    count: 1,
    at,
    receivedAt: at,
    late: false,
    position: null,
    dwellSeconds: 0,
    distanceToEdgeM: null,
    confidence: null,
    message: `${name} was deleted`,
    ack: null,
    link: '/geo-fence',
  };
}
