import { useEffect, useState } from 'react';
import { useSession } from '../../base/session/session.ts';

/**
 * How new the positions are that stay on the screen without a connection, in epoch milliseconds; null where there are
 * none. Asked at the moment of the loss, because the live code is not part of what every page loads.
 */
export function useKeptPositions(offline: boolean): number | null {
  const signedIn = useSession(session => session.token !== null);
  const [keptAt, setKeptAt] = useState<number | null>(null);

  useEffect(() => {
    if (!offline || !signedIn) {
      setKeptAt(null);
      return;
    }
    let stale = false;
    Promise.all([import('../../live/live.ts'), import('../../live/connection.ts')]).then(
      ([{ positions }, { useConnection }]) => {
        const at = Math.max(positions.lastReportMs ?? 0, useConnection.getState().updatedMs ?? 0);
        if (!stale && positions.entries.size > 0 && at > 0) setKeptAt(at);
      },
      // Not loaded before and not to be had now: then no positions are kept either.
      () => {},
    );
    return () => {
      stale = true;
    };
  }, [offline, signedIn]);

  return keptAt;
}
