import { VEHICLE_STATUSES, type VehicleStatus } from '@milepost/geo';
import { IconFolder, IconFolderOff } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import { NO_GROUP } from '../../../organisation/groups.ts';
import hidden from '../../../ui/hidden.module.css';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { shapeOf } from '../../../ui/status-shapes.ts';
import styles from './FolderRow.module.css';
import type { FolderNode } from './fleet-tree.ts';

/** More wouldn't leave room for the name. The rest is in the total and in the screen reader text. */
const STATUSES_SHOWN = 3;

/** A folder with its number of vehicles by status. */
export function FolderRow({ folder }: { readonly folder: FolderNode }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const Icon = folder.id === NO_GROUP ? IconFolderOff : IconFolder;
  return (
    <>
      {/* Short on screen, a full sentence for screen readers. */}
      <span className={hidden.hidden}>{spokenFolder(folder, t)}</span>
      <Icon className={styles.icon} size={16} stroke={1.75} aria-hidden />
      <b className={styles.name} aria-hidden="true">
        {folder.name}
      </b>
      <span className={styles.counts} aria-hidden="true">
        {presentIn(folder)
          .slice(0, STATUSES_SHOWN)
          .map(status => (
            <span key={status}>
              <StatusGlyph shape={shapeOf(status)} size={11} />
              {formatCount(folder.counts[status])}
            </span>
          ))}
        <span className={styles.total}>{formatCount(folder.members.length)}</span>
      </span>
    </>
  );
}

/** The folder for screen readers: "Line haul North, 14 vehicles: 8 moving, 2 idling, 4 stopped". */
function spokenFolder(folder: FolderNode, t: TFunction<['dashboard', 'vehicle']>): string {
  const counts = presentIn(folder).map(
    status => `${formatCount(folder.counts[status])} ${t(`vehicle:status.${status}`).toLowerCase()}`,
  );
  return `${t('list.folder', { name: folder.name, count: folder.members.length })}: ${counts.join(', ')}`;
}

const presentIn = ({ counts }: FolderNode): VehicleStatus[] => VEHICLE_STATUSES.filter(status => counts[status] > 0);
