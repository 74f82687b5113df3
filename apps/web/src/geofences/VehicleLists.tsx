import type { GeofenceVehicles } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { vehicleListQuery } from '../live/vehicle-list.ts';
import { groupTree } from '../organisation/groups.ts';
import { useOrganisation } from '../organisation/organisation.ts';
import { groupsOf } from '../organisation/stored-groups.ts';
import { groupOptions } from '../organisation/use-group-list.ts';
import { AddList } from '../ui/AddList.tsx';

interface Props {
  readonly value: GeofenceVehicles;
  readonly onChange: (value: GeofenceVehicles) => void;
  /** The most of each. */
  readonly max?: number;
}

/** Folders, and single vehicles. */
export function VehicleLists({ value, onChange, max }: Props) {
  const { t } = useTranslation('geofence');
  const folders = useOrganisation(state => state.folders);
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  const nodes = groupTree(
    (groupsOf('folder', { folders, departments: null }) ?? []).map(group => ({ ...group, members: [] })),
  );
  const lists = {
    folderIds: groupOptions(nodes),
    deviceIds: vehicles.map(({ id, deviceName }) => ({ value: id, label: deviceName })),
  };
  return (['folderIds', 'deviceIds'] as const).map(kind => (
    <AddList
      key={kind}
      label={t(`vehicles.${kind}`)}
      placeholder={t(`vehicles.add.${kind}`)}
      options={lists[kind]}
      chosen={value[kind]}
      onChange={ids => onChange({ ...value, [kind]: [...ids] })}
      removeLabel={name => t('vehicles.remove', { name })}
      goneLabel={t('vehicles.gone')}
      {...(max && { max })}
    />
  ));
}
