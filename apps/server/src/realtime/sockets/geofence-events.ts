import { type GeofenceAlert, SOCKET_EVENTS } from '@milepost/contract';
import { onEveryNode } from '../../bus/every-node.ts';
import type { Context } from '../../context.ts';
import type { DirectoryEntry } from '../../fleet/directory.ts';
import type { Session } from '../../http/session.ts';
import type { AskHandlers } from './ask.ts';
import { DELETED, deletionId } from './deletion-alert.ts';
import { listeners, type SocketParts } from './listeners.ts';
import { holds, type SocketClient } from './socket-clients.ts';

export interface GeofenceEventParts {
  /** What these vehicles crossed, and which geofences were deleted, after the alert with an id; oldest first. */
  readonly missedGeofenceAlerts: (
    accountId: number,
    vehicles: readonly DirectoryEntry[],
    since: string,
  ) => Promise<readonly GeofenceAlert[]>;
  /** Someone gets what a vehicle crossed: now, or what they missed. */
  readonly crossed: (session: Session, vehicle: DirectoryEntry, atMs: number, isLive: boolean) => Promise<void>;
  /** Which of these geofences were deleted just now. */
  readonly deletedGeofences: (accountId: number, ids: readonly number[]) => Promise<readonly GeofenceAlert[]>;
}

interface Registered extends Pick<DirectoryEntry, 'id' | 'imei' | 'name'> {
  /** Only what happens at these; null: at all of them. */
  readonly fences: Set<string> | null;
}

/**
 * The namespace `/geofence` [R7.37]: clients that registered vehicles receive what geofences say of them. What a user may
 * see is checked at every alert; the registered list only narrows it. When a vehicle or a geofence is deleted, those that
 * watched it are told, and it is watched no more [R7.38].
 */
export function serveGeofenceEvents(
  context: Context,
  parts: SocketParts & GeofenceEventParts,
): AskHandlers<'/geofence'> {
  const { feed, signals } = context;
  const { clients, crossed, deletedGeofences, directory, missedGeofenceAlerts, visibility } = parts;
  /** By IMEI. */
  const registered = new WeakMap<SocketClient, Map<string, Registered>>();
  const { access } = SOCKET_EVENTS['/geofence'].told.geofence_alert;
  const tell = (client: SocketClient, alert: GeofenceAlert): void =>
    client.outbox.offer(`geofence ${alert.id}`, 'geofence_alert', alert);

  onEveryNode(context, 'geofence-alert', ({ alert, ...of }) => {
    for (const client of listeners(parts, '/geofence', of, access)) {
      if (!isFor(registered.get(client), alert)) continue;
      const vehicle = directory.findById(of.vehicleId);
      if (vehicle) void crossed(client.session, vehicle, Date.parse(alert.at), true);
      tell(client, alert);
    }
  });

  signals.on('vehicle-changed', ({ vehicleId, accountId }) => {
    if (directory.findById(vehicleId) !== null) return;
    const nowMs = Date.now();
    for (const client of clients.of('/geofence', accountId)) {
      const known = registered.get(client);
      for (const vehicle of known?.values() ?? []) {
        if (vehicle.id !== vehicleId) continue;
        known?.delete(vehicle.imei);
        tell(client, deletedAlert(vehicle, nowMs));
      }
    }
  });

  feed.follow('after', async changes => {
    const gone = changes.filter(({ how, kind }) => kind === 'geofence' && how === 'gone');
    for (const [accountId, of] of Map.groupBy(gone, change => change.accountId)) {
      const watching = [...clients.of('/geofence', accountId)];
      if (watching.length === 0) continue;
      // A group, or a vehicle of a geofence, may be what is gone.
      const ids = new Set(of.map(({ id }) => Number(id)));
      for (const alert of await deletedGeofences(accountId, [...ids])) {
        for (const client of watching) {
          const known = registered.get(client);
          if (!maySeeFences(client) || !isFor(known, alert)) continue;
          for (const { fences } of known?.values() ?? []) fences?.delete(alert.fence?.id ?? '');
          tell(client, alert);
        }
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
          if (alert.vehicle === null && !maySeeFences(client)) continue;
          if (!isFor(known, alert)) continue;
          const vehicle = alert.vehicle && directory.findByImei(alert.vehicle.imei);
          if (vehicle) await crossed(client.session, vehicle, Date.parse(alert.at), false);
          tell(client, alert);
        }
      }
      return { registered: known.size, ignored: [...wanted.keys()].filter(imei => !known.has(imei)) };
    },
  };
}

const maySeeFences = ({ session }: SocketClient): boolean => holds(session, 'geofences.read');

/** Of a geofence that was deleted: one of the vehicles is watched there. */
function isFor(known: ReadonlyMap<string, Registered> | undefined, { fence, vehicle }: GeofenceAlert): boolean {
  const concerns = (of: Registered | undefined): boolean =>
    of !== undefined && (of.fences === null || fence === null || of.fences.has(fence.id));
  return vehicle === null ? [...(known?.values() ?? [])].some(concerns) : concerns(known?.get(vehicle.imei));
}

function deletedAlert({ id, imei, name }: Pick<Registered, 'id' | 'imei' | 'name'>, nowMs: number): GeofenceAlert {
  const at = new Date(nowMs).toISOString();
  return {
    ...DELETED,
    id: deletionId(nowMs, id, 0),
    fence: null,
    vehicle: { deviceId: String(id), imei, deviceName: name },
    at,
    receivedAt: at,
    message: `${name} was deleted`,
  };
}
