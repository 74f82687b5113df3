import { useEffect, useState } from 'react';
import { useSession } from '../../base/session/session.ts';

/**
 * The time of the newest positions that are still shown without a connection, in epoch milliseconds; null if there are
 * none. Determined when the connection is lost, because not every page loads the live code.
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
      // If the live code isn't loaded and can't be, no positions are shown either.
      () => {},
    );
    return () => {
      stale = true;
    };
  }, [offline, signedIn]);

  return keptAt;
}
