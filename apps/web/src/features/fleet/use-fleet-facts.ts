import { readFleetDay, type Vehicle } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAlertsByVehicle } from '../../alerts/use-alerts.ts';
import { call } from '../../app/api.ts';
import { useExpiry } from '../../documents/use-expiry.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { allNodes, type GroupNode, pathOf } from '../../organisation/groups.ts';
import { useGroups } from '../../organisation/use-groups.ts';
import type { FleetFacts, FolderPlace } from './facts.ts';

const NONE: readonly Vehicle[] = [];
const NO_NODES: readonly GroupNode[] = [];
/** The day goes on while one looks at it. */
const READ_EVERY_MS = 60_000;

/** The list of vehicles, the folders they are in, and what else the table says about them. */
export function useFleetFacts() {
  const { data: vehicles = NONE, error, refetch } = useQuery(vehicleListQuery);
  const members = useMemo(() => vehicles.map(({ id, folderId }) => ({ id, groupId: folderId })), [vehicles]);
  const nodes = useGroups('folder', members).nodes ?? NO_NODES;
  const expiryOf = useExpiry();
  const alerts = useAlertsByVehicle();
  const day = useQuery({
    queryKey: ['fleet-day'],
    queryFn: () => call(readFleetDay),
    refetchInterval: READ_EVERY_MS,
  });
  const today = day.data;

  const folderOf = useMemo(() => {
    const places = new Map(
      [...allNodes(nodes)].map(({ id }, order): [string, FolderPlace] => [id, { id, path: pathOf(nodes, id), order }]),
    );
    return ({ folderId }: Vehicle) => (folderId === null ? null : (places.get(folderId) ?? null));
  }, [nodes]);
  const todayOf = useMemo(() => {
    const days = new Map(today?.vehicles.map(day => [day.deviceId, day]));
    return ({ id }: Vehicle) => days.get(id) ?? null;
  }, [today]);
  const facts = useMemo(
    (): FleetFacts => ({ folderOf, todayOf, alertsOf: ({ id }) => alerts.get(id), expiryOf }),
    [folderOf, todayOf, alerts, expiryOf],
  );
  // What was read before stays, and is told with its time.
  const dayFailed = day.isError ? { readMs: today ? day.dataUpdatedAt : null } : null;
  return { vehicles, nodes, facts, dayFailed, error, refetch };
}
