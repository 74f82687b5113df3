import { readSharedTrail, type SharedVehicle } from '@milepost/contract';
import { useEffect, useState } from 'react';
import { mergeTrail, type TrailPoint } from '../../map/trail/trail.ts';
import type { SharedClient } from './shared-client.ts';

/** One vehicle's trail within the link's time window, extended with each position. Empty if no vehicle is chosen. */
export function useSharedTrail(client: SharedClient, vehicle: SharedVehicle | null): readonly TrailPoint[] {
  const key = vehicle?.key ?? null;
  const fixAt = vehicle?.live?.fixAt ?? null;
  const [trail, setTrail] = useState<{ readonly key: string | null; readonly points: readonly TrailPoint[] }>(NO_TRAIL);
  const known = trail.key === key ? trail.points : NO_TRAIL.points;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the known points only say where to continue; they must not start a request.
  useEffect(() => {
    if (key === null || fixAt === null) return;
    const gone = new AbortController();
    const last = known.at(-1)?.timeMs;
    const query = last === undefined ? {} : { since: new Date(last).toISOString() };
    client.call(readSharedTrail, { params: { key }, query }, { signal: gone.signal }).then(
      ({ points }) => {
        const more = points.map(({ lat, lon, at }) => ({ lat, lon, timeMs: Date.parse(at), late: false }));
        setTrail(before => ({ key, points: mergeTrail(before.key === key ? before.points : [], more, 0) }));
      },
      // On failure, wait: the next position triggers another request.
      () => {},
    );
    return () => gone.abort();
  }, [client, key, fixAt]);

  return known;
}

const NO_TRAIL = { key: null, points: [] };
