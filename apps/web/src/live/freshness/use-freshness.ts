import { useConnectivity } from '../../base/connectivity.ts';
import { useMinutesBehind } from '../../rules/rules-behind.ts';
import type { Freshness } from '../../ui/FreshnessPill.tsx';
import { useConnection } from '../connection.ts';
import { useSockets } from '../sockets/socket-store.ts';

/** The worst state of the connectivity poll, live messaging, the sockets, and what follows from positions. */
export function useFreshness(): Freshness {
  const positions = usePositionsFreshness();
  const events = useSocketsUp();
  const behind = useMinutesBehind();
  return positions === 'live' && (!events || behind > 0) ? 'slow' : positions;
}

/** The same without the sockets: how up to date positions are. */
export function usePositionsFreshness(): Freshness {
  const online = useConnectivity(state => state.status === 'online');
  const phase = useConnection(state => state.phase);
  if (!online) return 'offline';
  return phase === 'connected' ? 'live' : 'slow';
}

/** Whether both sockets are connected [R4.16]. */
export const useSocketsUp = (): boolean =>
  useSockets(all => all['/eld'].state === 'connected' && all['/geofence'].state === 'connected');
