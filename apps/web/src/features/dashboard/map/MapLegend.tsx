import { useQuery } from '@tanstack/react-query';
import { useMayChooseMap } from '../../../base/base-map.ts';
import { useHasStreets, useMapKind } from '../../../base/map-kind.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { useBeyondStreets } from '../../../map/controls/use-beyond-streets.ts';
import { LegendLine } from './LegendLine.tsx';
import { useSeesRoads } from './use-sees-roads.ts';

/** What the lines on the map mean, and which data is missing in this view. */
export function MapLegend() {
  const beyondStreets = useBeyondStreets();
  const hasStreets = useHasStreets();
  const kind = useMapKind();
  const { data: hasVehicles = false } = useQuery({ ...vehicleListQuery, select: list => list.length > 0 });
  // A user who switched streets off doesn't need to be told.
  const lacksStreets = beyondStreets && !(hasStreets && kind === 'outline');
  return (
    <LegendLine
      seesRoads={useSeesRoads() && hasVehicles}
      lacksStreets={lacksStreets}
      mayAdd={useMayChooseMap() && !hasStreets}
    />
  );
}
