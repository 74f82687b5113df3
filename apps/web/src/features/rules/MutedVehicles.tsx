import { NEVER_MUTED_WITH_ALL, type Rule } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { useOrganisation } from '../../organisation/organisation.ts';
import { isForVehicle } from '../../rules/is-for-vehicle.ts';
import { Component as VehicleMutes } from '../../rules/vehicle-mutes/VehicleMutes.tsx';
import { useVehicleMutes } from '../../rules/vehicle-mutes/vehicle-mutes.ts';

const NO_FOLDERS = [] as const;

interface Props {
  /** The rule's ID, or the kind of a built-in alert. */
  readonly about: string;
  readonly rule: Pick<Rule, 'vehicles'>;
}

/** The vehicles for which it is muted, by itself or with all their alerts. */
export function MutedVehicles({ about, rule }: Props) {
  const folders = useOrganisation(state => state.folders) ?? NO_FOLDERS;
  const hasAll = useVehicleMutes().some(mute => mute.about === null);
  const { data: vehicles } = useQuery({ ...vehicleListQuery, enabled: hasAll });
  const goesOn = NEVER_MUTED_WITH_ALL.some(kind => kind === about);
  const watches = (id: string): boolean => {
    const vehicle = vehicles?.find(one => one.id === id);
    return vehicle !== undefined && isForVehicle(rule, vehicle, folders);
  };
  return (
    <VehicleMutes of={mute => mute.about === about || (mute.about === null && !goesOn && watches(mute.deviceId))} />
  );
}
