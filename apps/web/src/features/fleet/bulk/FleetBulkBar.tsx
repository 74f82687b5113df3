import { may, type Permission, type Vehicle } from '@milepost/contract';
import {
  IconDownload,
  IconFolderSymlink,
  IconMap2,
  IconShare2,
  IconTerminal2,
  IconUserPlus,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Part } from '../../../base/chunks/Part.tsx';
import { useSession } from '../../../base/session/session.ts';
import { CommandDialog } from '../../../commands/lazy.ts';
import { usePast } from '../../../live/past.ts';
import { AssignDriverDialog } from '../../../organisation/AssignDriverDialog.tsx';
import type { GroupNode } from '../../../organisation/groups.ts';
import { MoveDialog } from '../../../organisation/MoveDialog.tsx';
import { paths } from '../../../paths.ts';
import { BulkAction, BulkBar } from '../../../registry/BulkBar.tsx';
import { ShareDialog } from '../../../sharing/ShareDialog.tsx';

export type BulkDialog = 'command' | 'move' | 'assign' | 'share';

interface Props {
  readonly vehicles: readonly Vehicle[];
  readonly nodes: readonly GroupNode[];
  readonly dialog: BulkDialog | null;
  readonly onDialog: (dialog: BulkDialog | null) => void;
  readonly onExport: () => void;
  readonly onClear: () => void;
}

/** More would make the address too long. */
const ON_MAP_MAX = 30;

/** Actions on the selected vehicles. A disabled action says why. */
export function FleetBulkBar({ vehicles, nodes, dialog, onDialog, onExport, onClear }: Props) {
  const { t } = useTranslation('fleet');
  const navigate = useNavigate();
  const me = useSession(session => session.me);
  const isPast = usePast() !== undefined;
  const needs = (permission: Permission): string | null =>
    isPast && permission !== 'shares.write'
      ? t('bulk.onlyLive')
      : me !== null && may(me, permission)
        ? null
        : t(me?.readOnly ? 'bulk.readOnly' : 'bulk.notAllowed');
  const close = () => onDialog(null);
  const [first] = vehicles;
  const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const;
  return (
    <>
      <BulkBar count={vehicles.length} onClear={onClear}>
        <BulkAction
          icon={<IconTerminal2 {...icon} />}
          reason={needs('commands.read')}
          onClick={() => onDialog('command')}
        >
          {t('bulk.command')}
        </BulkAction>
        <BulkAction
          icon={<IconFolderSymlink {...icon} />}
          reason={needs('organisation.assign')}
          onClick={() => onDialog('move')}
        >
          {t('bulk.move')}
        </BulkAction>
        <BulkAction
          icon={<IconUserPlus {...icon} />}
          reason={
            needs('organisation.assign') ?? needs('drivers.read') ?? (vehicles.length > 1 ? t('bulk.oneDriver') : null)
          }
          onClick={() => onDialog('assign')}
        >
          {t('bulk.assign')}
        </BulkAction>
        <BulkAction icon={<IconShare2 {...icon} />} reason={needs('shares.write')} onClick={() => onDialog('share')}>
          {t('bulk.share')}
        </BulkAction>
        <BulkAction
          icon={<IconMap2 {...icon} />}
          reason={vehicles.length > ON_MAP_MAX ? t('bulk.mapMax', { count: ON_MAP_MAX }) : null}
          onClick={() => void navigate(paths.vehiclesOnMap(vehicles.map(({ imei }) => imei)))}
        >
          {t('bulk.map')}
        </BulkAction>
        <BulkAction icon={<IconDownload {...icon} />} onClick={onExport}>
          {t('export.action')}
        </BulkAction>
      </BulkBar>
      <Part>
        {dialog === 'command' && !isPast && <CommandDialog open vehicles={vehicles} onClose={close} />}
        {dialog === 'share' && <ShareDialog open vehicles={vehicles} onClose={close} />}
      </Part>
      {dialog === 'assign' && first && <AssignDriverDialog vehicle={first} onClose={close} />}
      {dialog === 'move' && (
        <MoveDialog
          kind="folder"
          nodes={nodes}
          ids={vehicles.map(({ id }) => id)}
          from={vehicles.length === 1 ? (first?.folderId ?? null) : null}
          nameOf={id => vehicles.find(vehicle => vehicle.id === id)?.deviceName ?? ''}
          onClose={close}
          onMoved={() => {
            close();
            onClear();
          }}
        />
      )}
    </>
  );
}
