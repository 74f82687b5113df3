import { type Alert, may, type Severity } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSession } from '../base/session/session.ts';
import { usePast } from '../live/past.ts';
import { byUrgency, type Counts, totalOf } from './alert-lists.ts';
import { openAlertsQuery } from './open-alerts.ts';

export interface Alerts {
  /** Unacknowledged alerts, the most urgent first; undefined until loaded. */
  readonly alerts: readonly Alert[] | undefined;
  /** Number of all unacknowledged alerts, by severity. */
  readonly counts: Counts;
  readonly total: number;
  /** Why loading failed; alerts loaded earlier stay. */
  readonly error: unknown;
  /** When they were last loaded or updated, by this device's clock. */
  readonly updatedMs: number;
  readonly refetch: () => void;
}

const NONE: Counts = { critical: 0, warning: 0, info: 0 };

export const useMayReadAlerts = (): boolean => useSession(({ me }) => me !== null && may(me, 'alerts.read'));
/** False in the past view: alerts that were open then may have been acknowledged long ago. */
export function useMayAcknowledge(): boolean {
  const isPast = usePast() !== undefined;
  return useSession(({ me }) => me !== null && may(me, 'alerts.write')) && !isPast;
}

/** The open alerts, kept up to date by `watch-alerts.ts`; in the past view, those open at that moment. */
export function useAlerts(): Alerts {
  const enabled = useMayReadAlerts();
  const past = usePast();
  const { data: live, error, dataUpdatedAt, refetch } = useQuery({ ...openAlertsQuery, enabled });
  const data = past ? (past.picture?.alerts ?? undefined) : live;
  const alerts = useMemo(() => data?.alerts.toSorted(byUrgency), [data]);
  const counts = data?.unacknowledged ?? NONE;
  return { alerts, counts, total: totalOf(counts), error, updatedMs: dataUpdatedAt, refetch: () => void refetch() };
}

export interface VehicleAlerts {
  readonly count: number;
  /** Severity of the most urgent one. */
  readonly severity: Severity;
}

/** By vehicle id; vehicles without open alerts are missing. */
export function useAlertsByVehicle(): ReadonlyMap<string, VehicleAlerts> {
  const { alerts } = useAlerts();
  return useMemo(() => {
    const byVehicle = new Map<string, VehicleAlerts>();
    // A vehicle's most urgent alert comes first.
    for (const { deviceId, severity } of alerts ?? []) {
      if (deviceId === null) continue;
      const known = byVehicle.get(deviceId);
      byVehicle.set(deviceId, { count: (known?.count ?? 0) + 1, severity: known?.severity ?? severity });
    }
    return byVehicle;
  }, [alerts]);
}
