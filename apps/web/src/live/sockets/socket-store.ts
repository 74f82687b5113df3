import type { SocketState } from '@milepost/client';
import type { GeofenceAlert, SocketNamespace } from '@milepost/contract';
import { create } from 'zustand';

interface Namespace {
  readonly state: SocketState;
  /** Since when it holds, by this device's clock. */
  readonly sinceMs: number;
}

type SocketStore = Readonly<Record<SocketNamespace, Namespace>>;

const IDLE: Namespace = { state: 'idle', sinceMs: Date.now() };

/** The state of the realtime sockets [R4.16]. */
export const useSockets = create<SocketStore>(() => ({ '/eld': IDLE, '/geofence': IDLE }));

interface GeofenceWatch {
  /** How many vehicles the server tells of; null while it does not watch. */
  readonly registered: number | null;
  /** The latest geofence event [R7.37]. */
  readonly latest: GeofenceAlert | null;
}

/** What the geofence watcher knows [R2.24]. */
export const useGeofenceWatch = create<GeofenceWatch>(() => ({ registered: null, latest: null }));
