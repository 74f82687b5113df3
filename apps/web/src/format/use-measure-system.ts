import { create } from 'zustand';
import { type MeasureSystem, measureSystemOf } from './measure.ts';

/** The user's units: from the browser's first language until a user with a chosen system signs in. */
const useUnits = create<MeasureSystem>(() => measureSystemOf(navigator.language));

/** Outside of components. */
export const measureSystem = (): MeasureSystem => useUnits.getState();

export const useMeasureSystem = (): MeasureSystem => useUnits();

/** Null goes back to the browser's. */
export const setMeasureSystem = (system: MeasureSystem | null): void =>
  useUnits.setState(system ?? measureSystemOf(navigator.language));
