import type { RouteAnswer, readFleetAt } from '@milepost/contract';
import { createContext, useContext } from 'react';

export type FleetAt = RouteAnswer<typeof readFleetAt>;

/** A past moment that part of the app shows. */
export interface Past {
  readonly atMs: number;
  /** Alerts and positions at that moment; null while they load. */
  readonly picture: FleetAt | null;
}

const PastContext = createContext<Past | undefined>(undefined);
export const PastProvider = PastContext.Provider;
/** Undefined if the page is live. */
export const usePast = (): Past | undefined => useContext(PastContext);
