import { useSyncExternalStore } from 'react';
import { useMap } from '../map-context.ts';

/**
 * Reads a value from the map whenever it stops moving. The value is a primitive, so components re-render only when it
 * changes.
 */
export function useMapAtRest<T extends string | number | boolean>(
  read: (map: ReturnType<typeof useMap>['map']) => T,
): T {
  const { map } = useMap();
  return useSyncExternalStore(
    listener => {
      map.on('moveend', listener);
      map.on('resize', listener);
      return () => {
        map.off('moveend', listener);
        map.off('resize', listener);
      };
    },
    () => read(map),
  );
}
