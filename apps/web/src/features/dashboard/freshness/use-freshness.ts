import { useConnectivity } from '../../../app/connectivity/connectivity.ts';
import { useConnection } from '../../../live/connection.ts';
import type { Freshness } from '../../../ui/FreshnessPill.tsx';

/** The worst of the connectivity poll and live messaging. Live messaging that connects for the first time is no trouble. */
export function useFreshness(): Freshness {
  const online = useConnectivity(state => state.status === 'online');
  const phase = useConnection(state => state.phase);
  if (!online) return 'offline';
  return phase === 'connected' ? 'live' : 'slow';
}
