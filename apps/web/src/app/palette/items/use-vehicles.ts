import type { Vehicle } from '@milepost/contract';
import { IconTruck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { placeWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { usePositions } from '../../../live/view.ts';
import { paths } from '../../../paths.ts';
import { driverOf, modelOf } from '../../../vehicles/vehicle-words.ts';
import type { PaletteItem } from '../item.ts';

export interface VehicleItem extends PaletteItem {
  readonly vehicle: Vehicle;
}

/** Vehicles by all their names and numbers, with their latest position if this page has one. */
export function useVehicles(): readonly VehicleItem[] {
  const navigate = useNavigate();
  const positions = usePositions();
  const { data } = useQuery(vehicleListQuery);
  const system = useMeasureSystem();
  return useMemo(
    () =>
      (data ?? []).map((vehicle): VehicleItem => {
        const report = positions.get(vehicle.imei)?.report ?? null;
        const { id, imei, deviceName, plate, vin } = vehicle;
        return {
          id: `vehicle:${id}`,
          group: 'vehicles',
          Icon: IconTruck,
          isVehicle: true,
          vehicle,
          title: deviceName,
          subtitle: [driverOf({ vehicle, report })?.name, plate, report && placeWords(report, system)]
            .filter(Boolean)
            .join(' · '),
          // Plates are found with or without dashes.
          keywords: [
            imei.slice(-6),
            imei,
            vin,
            plate?.replace(/[^\p{L}\p{N}]/gu, ''),
            modelOf(vehicle),
            ...vehicle.tags,
          ]
            .filter(Boolean)
            .join(' '),
          run: () => void navigate(paths.vehicleOnMap(imei)),
        };
      }),
    [data, navigate, positions, system],
  );
}
