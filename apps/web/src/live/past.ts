import type { RouteAnswer, readFleetAt } from '@milepost/contract';
import { createContext, useContext } from 'react';

export type FleetAt = RouteAnswer<typeof readFleetAt>;

/** A moment of the past that a part of the app shows. */
export interface Past {
  readonly atMs: number;
  /** Alerts and places then; null while they are read. */
  readonly picture: FleetAt | null;
}

const PastContext = createContext<Past | undefined>(undefined);
export const PastProvider = PastContext.Provider;
/** Undefined where the fleet is live. */
export const usePast = (): Past | undefined => useContext(PastContext);
