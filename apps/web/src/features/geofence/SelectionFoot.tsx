import { GEOFENCE_BULK_MAX, type Geofence } from '@milepost/contract';
import { IconDownload, IconPencil, IconTrash, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGeofenceGroups } from '../../geofences/use-geofences.ts';
import { Button } from '../../ui/Button.tsx';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { BulkDialog } from './BulkDialog.tsx';
import { DeleteDialog } from './DeleteDialog.tsx';
import styles from './GeofencePage.module.css';
import { saveGeoJson } from './geojson.ts';

const ICON = { size: 16, stroke: 1.75, 'aria-hidden': true } as const;

interface Props {
  /** Those in the list as it is searched. */
  readonly shown: readonly Geofence[];
  readonly chosen: readonly Geofence[];
  readonly onChoose: (ids: ReadonlySet<string>) => void;
  /** Leaves the selection. */
  readonly onClose: () => void;
}

/** Below the list while several geofences are selected: how many, and what can be done with them. */
export function SelectionFoot({ shown, chosen, onChoose, onClose }: Props) {
  const { t } = useTranslation(['geofence', 'registry']);
  const { data: groups = [] } = useGeofenceGroups();
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const ids = new Set(chosen.map(({ id }) => id));
  const isAll = shown.length > 0 && shown.every(({ id }) => ids.has(id));
  const isNone = chosen.length === 0;
  const isTooMany = chosen.length > GEOFENCE_BULK_MAX;
  return (
    <div className={styles.selection} role="toolbar" aria-label={t('bulk.label')}>
      <div>
        <Checkbox
          checked={isAll}
          mixed={!isAll && !isNone}
          onChange={() => onChoose(isAll ? new Set() : new Set(shown.map(({ id }) => id)))}
        >
          {t('bulk.all')}
        </Checkbox>
        <span role="status">{t('registry:selected', { count: chosen.length })}</span>
        <IconButton label={t('registry:clearSelection')} tooltip="top" onClick={onClose}>
          <IconX {...ICON} />
        </IconButton>
      </div>
      <div>
        <Button icon={<IconPencil {...ICON} />} disabled={isNone || isTooMany} onClick={() => setDialog('edit')}>
          {t('bulk.edit')}
        </Button>
        <Button
          icon={<IconDownload {...ICON} />}
          disabled={isNone}
          onClick={() => saveGeoJson(chosen, groups, t('title'))}
        >
          {t('bulk.export')}
        </Button>
        <Button icon={<IconTrash {...ICON} />} disabled={isNone || isTooMany} onClick={() => setDialog('delete')}>
          {t('delete')}
        </Button>
      </div>
      {isTooMany && <p>{t('bulk.max', { count: GEOFENCE_BULK_MAX })}</p>}
      {dialog === 'edit' && <BulkDialog ids={[...ids]} onClose={() => setDialog(null)} onChanged={onClose} />}
      {dialog === 'delete' && <DeleteDialog geofences={chosen} onClose={() => setDialog(null)} onDeleted={onClose} />}
    </div>
  );
}
