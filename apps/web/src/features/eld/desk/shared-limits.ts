import type { BoardRow } from '@milepost/contract';
import { CLOCKS, type ClockName } from '../../../logbook/clocks.ts';

/** The limits of the clocks, in hours, if they are the same in every row. */
export function sharedLimits(rows: readonly BoardRow[]): Partial<Record<ClockName, number>> {
  const limits: Partial<Record<ClockName, number>> = {};
  for (const name of CLOCKS) {
    const all = new Set(rows.map(({ clocks }) => clocks[name]?.limitS));
    const [only] = all;
    if (all.size === 1 && only !== undefined) limits[name] = only / 3600;
  }
  return limits;
}
