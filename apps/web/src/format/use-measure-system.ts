import { type MeasureSystem, measureSystemOf } from './measure.ts';

/** The reader's units: those of the browser's first language. */
export const useMeasureSystem = (): MeasureSystem => measureSystemOf(navigator.language);
