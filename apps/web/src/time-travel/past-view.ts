import { useMemo } from 'react';
import { create } from 'zustand';
import type { FleetAt, Past } from '../live/past.ts';
import { PositionStore } from '../live/position-store.ts';
import { TickingClock } from '../live/ticking-clock.ts';
import type { PositionsView } from '../live/view.ts';

let clockMs = 0;

/** The vehicles of the moment that is shown. */
export const pastPositions = new PositionStore(() => clockMs);
const clock = new TickingClock(() => clockMs);

/** What the server answered about the moment; the clock stands there until another answer has come. */
export const usePicture = create<{ readonly picture: FleetAt | null }>(() => ({ picture: null }));

export function setPastClock(ms: number): void {
  clockMs = ms;
  clock.tick();
}

/** The fleet at the moment that was read last. Nothing live is ever shown as the past, not even while it is read. */
export const pastView: PositionsView = { positions: pastPositions, clock, catchUp: () => {} };

export function usePastShown(atMs: number): Past {
  const { picture } = usePicture();
  return useMemo(() => ({ atMs: picture ? clockMs : atMs, picture }), [picture, atMs]);
}
