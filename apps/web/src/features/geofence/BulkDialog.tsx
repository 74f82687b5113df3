import {
  GEOFENCE_COLORS,
  type GeofenceBulkChange,
  type GeofenceColor,
  type GeofenceVehicles,
} from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { changeGeofences, useGeofenceGroups } from '../../geofences/use-geofences.ts';
import { VehicleLists } from '../../geofences/VehicleLists.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { SelectField } from '../../ui/SelectField.tsx';
import styles from './GeofenceForm.module.css';

/** The value of a field that stays as it is in each geofence. */
const KEEP = 'keep';
const NO_VEHICLES: GeofenceVehicles = { folderIds: [], deviceIds: [] };

interface Props {
  readonly ids: readonly string[];
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Edits many geofences at once: what is not chosen stays as it is in each of them. */
export function BulkDialog({ ids, onClose, onChanged }: Props) {
  const { t } = useTranslation(['geofence', 'forms']);
  const { data: groups = [] } = useGeofenceGroups();
  const [groupId, setGroupId] = useState(KEEP);
  const [color, setColor] = useState(KEEP);
  const [isOn, setIsOn] = useState(KEEP);
  const [isRestricted, setIsRestricted] = useState(KEEP);
  const [vehicles, setVehicles] = useState<GeofenceVehicles | null | typeof KEEP>(KEEP);
  const change: GeofenceBulkChange = {
    ...(groupId !== KEEP && { groupId: groupId || null }),
    ...(color !== KEEP && { color: color as GeofenceColor }),
    ...(isOn !== KEEP && { isOn: isOn === 'yes' }),
    ...(isRestricted !== KEEP && { isRestricted: isRestricted === 'yes' }),
    ...(vehicles !== KEEP && { vehicles }),
  };
  const count = ids.length;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => changeGeofences(ids, change),
    onSuccess: () => {
      toast(t('bulk.saved', { count }));
      onChanged();
    },
  });
  const keep = { value: KEEP, label: t('bulk.keep') };
  const yesOrNo = [keep, { value: 'yes', label: t('bulk.yes') }, { value: 'no', label: t('bulk.no') }];
  const someOf = vehicles === KEEP || vehicles === null ? null : vehicles;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('bulk.title', { count })}
      subtitle={t('bulk.text')}
      closeLabel={t('forms:close')}
    >
      <div className={`${styles.import} ${styles.bulk}`}>
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        <SelectField
          label={t('group')}
          value={groupId}
          options={[
            keep,
            { value: '', label: t('noGroup') },
            ...groups.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={event => setGroupId(event.currentTarget.value)}
        />
        <SelectField
          label={t('color')}
          value={color}
          options={[keep, ...GEOFENCE_COLORS.map(value => ({ value, label: t(`colors.${value}`) }))]}
          onChange={event => setColor(event.currentTarget.value)}
        />
        <SelectField
          label={t('bulk.watched')}
          value={isOn}
          options={yesOrNo}
          onChange={event => setIsOn(event.currentTarget.value)}
        />
        <SelectField
          label={t('restricted')}
          value={isRestricted}
          options={yesOrNo}
          onChange={event => setIsRestricted(event.currentTarget.value)}
        />
        <SelectField
          label={t('vehicles.title')}
          value={vehicles === KEEP ? KEEP : vehicles === null ? 'all' : 'some'}
          options={[keep, { value: 'all', label: t('vehicles.all') }, { value: 'some', label: t('vehicles.some') }]}
          onChange={event => {
            const { value } = event.currentTarget;
            setVehicles(value === KEEP ? KEEP : value === 'all' ? null : NO_VEHICLES);
          }}
        />
        {someOf && <VehicleLists value={someOf} onChange={setVehicles} />}
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button
            variant="primary"
            busy={isPending}
            disabled={Object.keys(change).length === 0}
            onClick={() => mutate()}
          >
            {t('bulk.save', { count })}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
