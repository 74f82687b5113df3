import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';
import { liveSource, positions, serverClock } from './live.ts';
import type { PositionStore } from './position-store.ts';
import { TickingClock } from './ticking-clock.ts';
import type { VehicleEntry } from './vehicle-entry.ts';

/** The positions that part of the app shows, and the clock for them. */
export interface PositionsView {
  readonly positions: PositionStore;
  readonly clock: TickingClock;
  /** Tries again to read what couldn't be read. */
  readonly catchUp: () => void;
}

export const live: PositionsView = {
  positions,
  clock: new TickingClock(() => serverClock.now()),
  catchUp: () => liveSource.catchUp(),
};

/** The live fleet, unless a page provides another view. */
const ViewContext = createContext<PositionsView>(live);
export const PositionsViewProvider = ViewContext.Provider;
export const usePositionsView = (): PositionsView => useContext(ViewContext);
export const usePositions = (): PositionStore => useContext(ViewContext).positions;
export const useClock = (): TickingClock => useContext(ViewContext).clock;

/** One vehicle's entry. The component rerenders only when this vehicle changes. */
export function useVehicle(imei: string | null): VehicleEntry | undefined {
  const store = usePositions();
  return useSyncExternalStore(
    useCallback(onChange => (imei === null ? () => {} : store.subscribeTo(imei, onChange)), [store, imei]),
    () => (imei === null ? undefined : store.get(imei)),
  );
}

/** The current time of the view, updated every second. */
export function useNow(): number {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, clock.ticked);
}

/** A value derived from the time. Rerenders only when the value changes, not every second. */
export function useFromNow<T extends string | number | boolean>(derive: (nowMs: number) => T): T {
  const clock = useClock();
  return useSyncExternalStore(clock.subscribe, () => derive(clock.ticked()));
}

const MINUTE_MS = 60_000;

/** The beginning of the current minute, for what doesn't change more often. */
export const useMinute = (): number => useFromNow(ms => Math.floor(ms / MINUTE_MS) * MINUTE_MS);
