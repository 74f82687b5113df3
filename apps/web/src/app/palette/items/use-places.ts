import { IconFolder, IconMapPin } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { placeWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePositions } from '../../../live/view.ts';
import { useOrganisation } from '../../../organisation/organisation.ts';
import { paths } from '../../../paths.ts';
import { formatToken } from '../../../search-tokens/search-text.ts';
import type { PaletteItem } from '../item.ts';
import type { VehicleItem } from './use-vehicles.ts';

/** Places where vehicles are: folders, and the addresses of latest reports. */
export function usePlaces(vehicles: readonly VehicleItem[]): readonly PaletteItem[] {
  const { t } = useTranslation('palette');
  const positions = usePositions();
  const navigate = useNavigate();
  const folders = useOrganisation(state => state.folders);
  const system = useMeasureSystem();
  return useMemo(() => {
    const atAddress = new Map<string, VehicleItem[]>();
    for (const item of vehicles) {
      const report = positions.get(item.vehicle.imei)?.report;
      const address = report && placeWords(report, system);
      if (!address) continue;
      const there = atAddress.get(address);
      if (there) there.push(item);
      else atAddress.set(address, [item]);
    }
    return [
      ...(folders ?? []).map(
        ({ id, name, devices }): PaletteItem => ({
          id: `folder:${id}`,
          group: 'places',
          Icon: IconFolder,
          title: name,
          subtitle: t('folder', { count: devices.length }),
          keywords: '',
          run: () =>
            void navigate(paths.fleet(formatToken({ kind: 'word', field: 'folder', not: false, values: [name] }))),
        }),
      ),
      ...[...atAddress].map(
        ([address, there]): PaletteItem => ({
          id: `address:${address}`,
          group: 'places',
          Icon: IconMapPin,
          title: address,
          subtitle: t('here', { vehicle: there[0]?.title ?? '', count: there.length - 1 }),
          keywords: '',
          once: true,
          run: () => there[0]?.run(),
        }),
      ),
    ];
  }, [folders, vehicles, navigate, positions, system, t]);
}
