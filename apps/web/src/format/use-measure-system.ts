import { create } from 'zustand';
import { type MeasureSystem, measureSystemOf } from './measure.ts';

/** The user's units: those of the browser's first language until a user with other settings signs in. */
const useUnits = create<MeasureSystem>(() => measureSystemOf(navigator.language));

/** For code outside components. */
export const measureSystem = (): MeasureSystem => useUnits.getState();

export const useMeasureSystem = (): MeasureSystem => useUnits();

/** Null switches back to the browser's units. */
export const setMeasureSystem = (system: MeasureSystem | null): void =>
  useUnits.setState(system ?? measureSystemOf(navigator.language));
