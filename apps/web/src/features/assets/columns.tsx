import type { Vehicle } from '@milepost/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ExpiryChip } from '../../documents/ExpiryChip.tsx';
import { usePositions } from '../../live/view.ts';
import type { RegistryColumn } from '../../registry/columns.ts';
import { protocolName } from '../../vehicles/protocol-name.ts';
import { modelOf, odometerOf } from '../../vehicles/vehicle-words.ts';
import styles from './cells.module.css';
import { DaysLeftCell, DriverCell, ModelCell, OdometerCell, TrackerCell, UnitCell } from './cells.tsx';

/**
 * The columns of the list. `folderOf` names a vehicle's folder if the list shows more than one. `withTracker` is false
 * next to a drawer, where not all columns fit.
 */
export function useAssetColumns(
  folderOf: ((vehicle: Vehicle) => string | null) | null,
  withTracker: boolean,
): RegistryColumn<Vehicle>[] {
  const { t } = useTranslation('assets');
  const positions = usePositions();
  return useMemo((): RegistryColumn<Vehicle>[] => {
    const folder: RegistryColumn<Vehicle>[] = folderOf
      ? [
          {
            id: 'folder',
            header: t('columns.folder'),
            cell: vehicle => <span className={styles.short}>{folderOf(vehicle)}</span>,
            sortBy: folderOf,
            from: 1440,
          },
        ]
      : [];
    const tracker: RegistryColumn<Vehicle>[] = withTracker
      ? [
          {
            id: 'tracker',
            header: t('columns.tracker'),
            cell: vehicle => <TrackerCell vehicle={vehicle} />,
            sortBy: ({ trackerModel, protocol }) => trackerModel ?? protocolName(protocol),
            from: 1024,
          },
        ]
      : [];
    return [
      {
        id: 'unit',
        header: t('columns.unit'),
        cell: vehicle => <UnitCell vehicle={vehicle} />,
        sortBy: ({ deviceName }) => deviceName,
      },
      {
        id: 'vehicle',
        header: t('columns.vehicle'),
        cell: vehicle => <ModelCell vehicle={vehicle} />,
        sortBy: vehicle => modelOf(vehicle) || vehicle.plate,
      },
      ...folder,
      {
        id: 'driver',
        header: t('columns.driver'),
        cell: vehicle => <DriverCell vehicle={vehicle} />,
        sortBy: ({ driver }) => driver?.name ?? null,
      },
      ...tracker,
      {
        id: 'odometer',
        header: t('columns.odometer'),
        cell: vehicle => <OdometerCell vehicle={vehicle} />,
        sortBy: vehicle => odometerOf(positions.get(vehicle.imei)),
        align: 'end',
      },
      {
        id: 'tags',
        header: t('columns.tags'),
        cell: ({ tags }) => tags.join(', '),
        sortBy: ({ tags }) => tags.join(', ') || null,
        from: 1920,
      },
      {
        id: 'documents',
        header: t('columns.documents'),
        cell: ({ documentsExpireOn }) => documentsExpireOn && <ExpiryChip expiresOn={documentsExpireOn} />,
        sortBy: ({ documentsExpireOn }) => documentsExpireOn,
      },
      {
        id: 'days',
        header: t('columns.daysLeft'),
        cell: vehicle => <DaysLeftCell vehicle={vehicle} />,
        sortBy: ({ daysRemaining }) => daysRemaining,
        align: 'end',
      },
    ];
  }, [t, folderOf, positions, withTracker]);
}
