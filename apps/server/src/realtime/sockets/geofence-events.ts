import { randomUUID } from 'node:crypto';
import { type GeofenceAlert, SOCKET_EVENTS } from '@milepost/contract';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { AskHandlers } from './ask.ts';
import { listeners, type SocketParts } from './listeners.ts';
import type { SocketClient } from './socket-clients.ts';

export interface GeofenceEventParts {
  /** What these vehicles crossed after the alert with an id, oldest first. */
  readonly missedGeofenceAlerts: (
    accountId: number,
    vehicles: readonly DirectoryEntry[],
    since: string,
  ) => Promise<readonly GeofenceAlert[]>;
}

interface Registered extends Pick<DirectoryEntry, 'id' | 'imei' | 'name'> {
  /** Only what happens at these; null: at all of them. */
  readonly fences: ReadonlySet<string> | null;
}

/**
 * The namespace `/geofence` [R7.37]: clients that registered vehicles receive what geofences say of them. What a user may
 * see is checked at every alert; the registered list only narrows it. When a vehicle is deleted, those that registered
 * it are told, and it is registered no more [R7.38].
 */
export function serveGeofenceEvents(
  { signals }: Context,
  parts: SocketParts & GeofenceEventParts,
): AskHandlers<'/geofence'> {
  const { clients, directory, missedGeofenceAlerts, visibility } = parts;
  /** By IMEI. */
  const registered = new WeakMap<SocketClient, Map<string, Registered>>();
  const { access } = SOCKET_EVENTS['/geofence'].told.geofence_alert;

  signals.on('geofence-alert', ({ alert, ...of }) => {
    for (const client of listeners(parts, '/geofence', of, access)) {
      if (!isFor(registered.get(client), alert)) continue;
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
    register_vehicles: async (client, { since, vehicles }) => {
      const wanted = new Map(vehicles.map(({ fences, imei }) => [imei, fences ? new Set(fences) : null]));
      const seen = [...wanted].flatMap(([imei, fences]) => {
        const vehicle = directory.findByImei(imei);
        return visibility.sees(client.session, vehicle) ? [{ vehicle, fences }] : [];
      });
      const known = new Map(
        seen.map(({ fences, vehicle: { id, imei, name } }) => [imei, { id, imei, name, fences } satisfies Registered]),
      );
      registered.set(client, known);
      if (since) {
        // Where a vehicle was before someone saw it is not theirs to know.
        const held = seen.map(({ vehicle }) => vehicle).filter(each => visibility.holdsVehicle(client.session, each));
        for (const alert of await missedGeofenceAlerts(client.session.accountId, held, since)) {
          if (isFor(known, alert)) client.outbox.offer(`geofence ${alert.id}`, 'geofence_alert', alert);
        }
      }
      return { registered: known.size, ignored: [...wanted.keys()].filter(imei => !known.has(imei)) };
    },
  };
}

function isFor(known: ReadonlyMap<string, Registered> | undefined, { fence, vehicle }: GeofenceAlert): boolean {
  const of = known?.get(vehicle.imei);
  return of !== undefined && (of.fences === null || fence === null || of.fences.has(fence.id));
}

function deletedAlert({ id, imei, name }: Pick<Registered, 'id' | 'imei' | 'name'>): GeofenceAlert {
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
