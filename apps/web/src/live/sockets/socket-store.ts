import type { SocketState } from '@milepost/client';
import type { GeofenceAlert, SocketNamespace } from '@milepost/contract';
import { create } from 'zustand';

interface Namespace {
  readonly state: SocketState;
  /** When the state started, by this device's clock. */
  readonly sinceMs: number;
}

type SocketStore = Readonly<Record<SocketNamespace, Namespace>>;

const IDLE: Namespace = { state: 'idle', sinceMs: Date.now() };

/** The state of the realtime sockets [R4.16]. */
export const useSockets = create<SocketStore>(() => ({ '/eld': IDLE, '/geofence': IDLE }));

interface GeofenceWatch {
  /** Number of vehicles that the server watches; null while it watches none. */
  readonly registered: number | null;
  /** The latest geofence event [R7.37]. */
  readonly latest: GeofenceAlert | null;
}

/** State of the geofence watcher [R2.24]. */
export const useGeofenceWatch = create<GeofenceWatch>(() => ({ registered: null, latest: null }));
