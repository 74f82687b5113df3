import { create } from 'zustand';
import { type MeasureSystem, measureSystemOf } from './measure.ts';

/** The reader's units: those of the browser's first language, until somebody with a choice of their own is signed in. */
const useUnits = create<MeasureSystem>(() => measureSystemOf(navigator.language));

/** Outside of components. */
export const measureSystem = (): MeasureSystem => useUnits.getState();

export const useMeasureSystem = (): MeasureSystem => useUnits();

/** Null goes back to the browser's. */
export const setMeasureSystem = (system: MeasureSystem | null): void =>
  useUnits.setState(system ?? measureSystemOf(navigator.language));
