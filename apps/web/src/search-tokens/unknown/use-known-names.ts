import { listDrivers, may } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { call } from '../../base/api.ts';
import { useSession } from '../../base/session/session.ts';
import { useGeofences } from '../../geofences/use-geofences.ts';
import { useGeofencesOf } from '../../geofences/use-geofences-of.ts';
import type { PositionStore } from '../../live/position-store.ts';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { usePositions } from '../../live/view.ts';
import { DRIVERS_KEY } from '../../organisation/driver-list.ts';
import { allNodes, groupTree, pathOf } from '../../organisation/groups.ts';
import { useOrganisation } from '../../organisation/organisation.ts';
import { protocolName } from '../../vehicles/protocol-name.ts';
import { modelOf } from '../../vehicles/vehicle-words.ts';
import type { SearchToken } from '../search-text.ts';
import type { KnownNames } from './unknown-values.ts';

/** What the fields of these tokens can be compared with; only what they need is read. */
export function useKnownNames(tokens: readonly SearchToken[]): KnownNames {
  const me = useSession(session => session.me);
  const asks = (field: SearchToken['field']): boolean => tokens.some(token => token.field === field);
  const { data: geofences } = useGeofences({ enabled: me !== null && may(me, 'geofences.read') && asks('in') });
  const { awayFrom } = useGeofencesOf(tokens);
  const { data: drivers } = useQuery({
    queryKey: DRIVERS_KEY,
    queryFn: () => call(listDrivers),
    enabled: me !== null && may(me, 'drivers.read') && asks('driver'),
  });
  const folders = useOrganisation(state => state.folders);
  const departments = useOrganisation(state => state.departments);
  const positions = usePositions();
  const { data: vehicles } = useQuery(vehicleListQuery);
  const ofVehicles = useMemo(() => {
    if (!vehicles) return {};
    const named = (names: readonly (string | null | undefined)[]): string[] => [...new Set(names.filter(isText))];
    return {
      tags: named(vehicles.flatMap(({ tags }) => tags)),
      models: named(vehicles.map(modelOf)),
      trackers: named(vehicles.flatMap(({ trackerModel, protocol }) => [trackerModel, protocolName(protocol)])),
      // Cards in reports can name drivers who are not in the list.
      present: named([...vehicles.map(({ driver }) => driver), ...reported(positions)].map(driver => driver?.name)),
    };
  }, [vehicles, positions]);
  return useMemo(() => {
    const { present, ...names } = ofVehicles;
    return {
      ...names,
      geofences: geofences?.map(({ name }) => name),
      places: awayFrom,
      folders: folders ? pathsOf(folders) : undefined,
      departments: departments ? pathsOf(departments) : undefined,
      drivers: drivers && present && [...drivers.map(({ name }) => name), ...present],
    };
  }, [ofVehicles, geofences, awayFrom, folders, departments, drivers]);
}

const reported = ({ entries }: Pick<PositionStore, 'entries'>) =>
  [...entries.values()].map(({ report }) => report?.driver ?? null);

const isText = (text: string | null | undefined): text is string => Boolean(text);

function pathsOf(groups: readonly { readonly id: string; readonly name: string; readonly parentId: string | null }[]) {
  const nodes = groupTree(groups.map(group => ({ ...group, members: [] })));
  return [...allNodes(nodes)].map(({ id }) => pathOf(nodes, id));
}
