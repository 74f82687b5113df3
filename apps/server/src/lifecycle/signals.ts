import type { AssignedTask, Command, GeofenceAlert } from '@milepost/contract';
import type { Logger } from 'pino';

/**
 * Signals between the parts of the server in this process. Handlers run synchronously, in the order they were added.
 * A signal with types of a single room is declared in that room.
 */
export interface SignalMap {
  /** Sessions that ended; their connections close at once. */
  'sessions-ended': { readonly sessionIds: readonly string[] };
  /** Users' access changed: their sessions are rechecked and their connections reconnect. */
  'users-changed': { readonly userIds: readonly string[] };
  /** A vehicle was added, changed or removed, or its device key renewed: caches and connections drop it. */
  'vehicle-changed': { readonly vehicleId: number; readonly accountId: number; readonly imei: string };
  /** Vehicles got another folder or usual driver. Their trackers are not affected. */
  'vehicles-arranged': { readonly accountId: number; readonly vehicleIds: readonly number[] };
  /** Folders, departments or drivers of an account were added, changed or removed. */
  'organisation-changed': { readonly accountId: number };
  /** A tracker is reachable now and receives what is sent to it. */
  'tracker-reachable': { readonly vehicleId: number };
  /** The network confirmed that a command reached its tracker; `reference` is the one it was sent with. */
  'command-delivered': { readonly vehicleId: number; readonly reference: number };
  /** A command's status changed. */
  'command-changed': { readonly accountId: number; readonly vehicleId: number; readonly command: Command };
  /** The driver of a vehicle changed, by the card it reported. */
  'driver-changed': { readonly accountId: number; readonly vehicleId: number };
  /** Alerts were written or changed, and are to be announced. */
  'alerts-written': { readonly ids: readonly string[] };
  /** A task was given to a driver, changed or taken back. */
  'task-assigned': { readonly accountId: number; readonly driverId: number; readonly task: AssignedTask };
  /** A geofence raised an alert for a vehicle. */
  'geofence-alert': { readonly accountId: number; readonly vehicleId: number; readonly alert: GeofenceAlert };
}

export interface Signals {
  on<K extends keyof SignalMap>(name: K, handler: (event: SignalMap[K]) => void): () => void;
  emit<K extends keyof SignalMap>(name: K, event: SignalMap[K]): void;
}

type Handler<K extends keyof SignalMap> = (event: SignalMap[K]) => void;

export function createSignals(log: Logger): Signals {
  const handlers = new Map<keyof SignalMap, Set<Handler<never>>>();
  const handlersOf = <K extends keyof SignalMap>(name: K): Set<Handler<K>> => {
    const known = handlers.get(name) ?? new Set();
    handlers.set(name, known);
    return known as Set<Handler<K>>;
  };
  return {
    on: (name, handler) => {
      handlersOf(name).add(handler);
      return () => void handlersOf(name).delete(handler);
    },
    emit: (name, event) => {
      for (const handler of handlersOf(name)) {
        try {
          handler(event);
        } catch (error) {
          // One handler's failure does not affect the sender.
          log.error({ err: error, signal: name }, 'A signal handler failed');
        }
      }
    },
  };
}
