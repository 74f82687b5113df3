import { useSyncExternalStore } from 'react';
import { useMap } from '../map-context.ts';

/** Something read from the map whenever it has come to rest; a primitive, so that nothing is drawn without a change. */
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
