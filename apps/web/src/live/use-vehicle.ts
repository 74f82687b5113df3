import { useCallback, useSyncExternalStore } from 'react';
import { positions } from './live.ts';
import type { VehicleEntry } from './vehicle-entry.ts';

/** One vehicle; the component is drawn again when this vehicle changes, and for no other. */
export function useVehicle(imei: string | null): VehicleEntry | undefined {
  return useSyncExternalStore(
    useCallback(onChange => (imei === null ? () => {} : positions.subscribeTo(imei, onChange)), [imei]),
    () => (imei === null ? undefined : positions.get(imei)),
  );
}
