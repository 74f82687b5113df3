import type { Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAlertsByVehicle } from '../../alerts/use-alerts.ts';
import { useExpiry } from '../../documents/use-expiry.ts';
import { useGeofencesOf } from '../../geofences/use-geofences-of.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useHoursOf } from '../../logbook/use-hours-of.ts';
import { allNodes, type GroupNode, pathOf } from '../../organisation/groups.ts';
import { useGroupPaths } from '../../organisation/use-group-paths.ts';
import { useGroups } from '../../organisation/use-groups.ts';
import type { SearchToken } from '../../search-tokens/search-text.ts';
import { useNextTasks } from '../../tasks/use-next-tasks.ts';
import type { FleetFacts, FolderPlace } from './facts.ts';
import type { FleetPeriodChoice } from './state/fleet-url.ts';
import { useFleetPeriod } from './use-fleet-period.ts';
import { useInsideOf } from './use-inside-of.ts';

const NONE: readonly Vehicle[] = [];
const NO_NODES: readonly GroupNode[] = [];

/** The vehicles, their folders, and whatever else the table shows about them. */
export function useFleetFacts(period: FleetPeriodChoice, tokens: readonly SearchToken[], showsInside: boolean) {
  const { data: vehicles = NONE, error, refetch } = useQuery(vehicleListQuery);
  const members = useMemo(() => vehicles.map(({ id, folderId }) => ({ id, groupId: folderId })), [vehicles]);
  const nodes = useGroups('folder', members).nodes ?? NO_NODES;
  const expiryOf = useExpiry();
  const alerts = useAlertsByVehicle();
  const { departmentPathOf } = useGroupPaths();
  const { awayFrom, geofencesOf } = useGeofencesOf(tokens);
  const { insideOf } = useInsideOf(showsInside);
  const hoursOf = useHoursOf();
  const taskOf = useNextTasks();
  const { data: done, isError, dataUpdatedAt, mayChoose } = useFleetPeriod(period);

  const folderOf = useMemo(() => {
    const places = new Map(
      [...allNodes(nodes)].map(({ id }, order): [string, FolderPlace] => [id, { id, path: pathOf(nodes, id), order }]),
    );
    return ({ folderId }: Vehicle) => (folderId === null ? null : (places.get(folderId) ?? null));
  }, [nodes]);
  const { sumsOf, days } = useMemo(() => {
    const sums = new Map(done?.vehicles.map(one => [one.deviceId, one]));
    return {
      sumsOf: ({ id }: Vehicle) => sums.get(id) ?? null,
      days: done ? { from: done.period.from, daySeconds: done.daySeconds } : null,
    };
  }, [done]);
  const facts = useMemo(
    (): FleetFacts => ({
      folderOf,
      departmentPathOf,
      sumsOf,
      days,
      alertsOf: ({ id }) => alerts.get(id),
      expiryOf,
      ...(geofencesOf && { geofencesOf }),
      ...(insideOf && { insideOf }),
      ...(hoursOf && { hoursOf }),
      ...(taskOf && { taskOf }),
      ...(awayFrom && { awayFrom }),
    }),
    [folderOf, departmentPathOf, sumsOf, days, alerts, expiryOf, geofencesOf, insideOf, hoursOf, taskOf, awayFrom],
  );
  // Keep the last result and show its time.
  const dayFailed = isError ? { readMs: done ? dataUpdatedAt : null } : null;
  return { vehicles, nodes, facts, dayFailed, error, refetch, mayChoose };
}
