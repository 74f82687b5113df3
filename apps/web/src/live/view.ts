import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { liveSource, positions, serverClock } from './live.ts';
import type { PositionStore } from './position-store.ts';
import { TickingClock } from './ticking-clock.ts';
import type { VehicleEntry } from './vehicle-entry.ts';

/** Which positions a part of the app shows, and what time it is there. */
export interface PositionsView {
  readonly positions: PositionStore;
  readonly clock: TickingClock;
  /** Asks again for what could not be read. */
  readonly catchUp: () => void;
}

export const live: PositionsView = {
  positions,
  clock: new TickingClock(() => serverClock.now()),
  catchUp: () => liveSource.catchUp(),
};

/** The fleet now, unless a page provides another view. */
const ViewContext = createContext<PositionsView>(live);
export const PositionsViewProvider = ViewContext.Provider;
export const usePositionsView = (): PositionsView => useContext(ViewContext);
export const usePositions = (): PositionStore => useContext(ViewContext).positions;
export const useClock = (): TickingClock => useContext(ViewContext).clock;

/** One vehicle; the component is drawn again when this vehicle changes, and for no other. */
export function useVehicle(imei: string | null): VehicleEntry | undefined {
  const store = usePositions();
  return useSyncExternalStore(
    useCallback(onChange => (imei === null ? () => {} : store.subscribeTo(imei, onChange)), [store, imei]),
    () => (imei === null ? undefined : store.get(imei)),
  );
}

/** The time shown, in whole seconds. */
export function useNow(): number {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, clock.ticked);
}

/** Rerenders only when the value derived from the clock changes, not every second. */
export function useFromNow<T extends string | number | boolean>(derive: (nowMs: number) => T): T {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, () => derive(clock.ticked()));
}
