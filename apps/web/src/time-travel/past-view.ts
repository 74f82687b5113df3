import { useMemo } from 'react';
import { create } from 'zustand';
import type { FleetAt, Past } from '../live/past.ts';
import { PositionStore } from '../live/position-store.ts';
import { TickingClock } from '../live/ticking-clock.ts';
import type { PositionsView } from '../live/view.ts';

let clockMs = 0;

/** The vehicles at the past moment. */
export const pastPositions = new PositionStore(() => clockMs);
const clock = new TickingClock(() => clockMs);

/** The server's response for the moment. The clock keeps that time until the next response. */
export const usePicture = create<{ readonly picture: FleetAt | null }>(() => ({ picture: null }));

export function setPastClock(ms: number): void {
  clockMs = ms;
  clock.tick();
}

/**
 * The fleet at the moment that was last read. Live data is never shown as the past, not even while the past is loading.
 */
export const pastView: PositionsView = { positions: pastPositions, clock, catchUp: () => {} };

export function usePastShown(atMs: number): Past {
  const { picture } = usePicture();
  return useMemo(() => ({ atMs: picture ? clockMs : atMs, picture }), [picture, atMs]);
}
