import { may } from '@milepost/contract';
import { IconCopy, IconFocus2, IconShare2, IconTerminal2, IconTruck } from '@tabler/icons-react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { copyText } from '../../../base/copy-text.ts';
import { useSession } from '../../../base/session/session.ts';
import type { CommandVehicle } from '../../../commands/vehicle.ts';
import { formatCoordinates } from '../../../format/place.ts';
import { useConnection } from '../../../live/connection.ts';
import { usePositions } from '../../../live/view.ts';
import { paths } from '../../../paths.ts';
import type { PaletteItem } from '../item.ts';
import type { Order } from '../verbs.ts';
import type { VehicleItem } from './use-vehicles.ts';

/** A dialog about a vehicle. It opens once the search has closed. */
export interface VehicleTask {
  readonly kind: 'command' | 'share';
  readonly vehicle: CommandVehicle;
  readonly action: Order['action'];
}

/** Actions for one vehicle that are available on every page. */
export function useVehicleActions(onTask: (task: VehicleTask) => void) {
  const { t } = useTranslation(['palette', 'commands']);
  const navigate = useNavigate();
  const positions = usePositions();
  const me = useSession(session => session.me);
  // While the map shows the past, no commands are offered.
  const isPast = useConnection(state => state.pastMs !== null);
  return useCallback(
    (item: VehicleItem, order: Order | null = null): readonly PaletteItem[] => {
      const { vehicle, title: name } = item;
      const { live, imei } = vehicle;
      const place =
        positions.get(imei)?.place ??
        (live.lat !== null && live.lon !== null ? { lat: live.lat, lon: live.lon } : null);
      const task = (kind: VehicleTask['kind']) => () => onTask({ kind, vehicle, action: order?.action ?? null });
      const one = (verb: string, Icon: PaletteItem['Icon'], title: string, run: () => void): PaletteItem => ({
        id: `${verb}:${vehicle.id}`,
        group: 'actions',
        Icon,
        title,
        subtitle: '',
        keywords: '',
        once: true,
        run,
      });
      const command = order?.action ? t(`commands:action.${order.action}`) : null;
      const all: readonly (PaletteItem | null)[] = [
        me && may(me, 'commands.read') && !isPast
          ? one(
              'cmd',
              IconTerminal2,
              command ? t('commandTo', { command, name }) : t('command', { name }),
              task('command'),
            )
          : null,
        place && one('follow', IconFocus2, t('follow', { name }), () => void navigate(paths.followedOnMap(imei))),
        me && may(me, 'shares.write') ? one('share', IconShare2, t('share', { name }), task('share')) : null,
        place &&
          one('copy', IconCopy, t('copy', { name }), () => {
            const text = formatCoordinates(place.lat, place.lon);
            void copyText(text, t('copied', { text }));
          }),
        me && may(me, 'vehicles.read')
          ? one(
              'registry',
              IconTruck,
              t('registry', { name }),
              () => void navigate(paths.opened(paths.assets(), vehicle.id)),
            )
          : null,
      ];
      return all.filter(action => action !== null);
    },
    [t, navigate, me, isPast, positions, onTask],
  );
}
