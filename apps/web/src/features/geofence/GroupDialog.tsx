import { type GeofenceColor, type GeofenceGroup, newGeofenceGroupSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { addGroup } from '../../geofences/use-geofences.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { TextField } from '../../ui/TextField.tsx';

interface Props {
  readonly color: GeofenceColor;
  readonly onClose: () => void;
  readonly onMade: (group: GeofenceGroup) => void;
}

/** A new group, in the color of the geofence that it is made for. */
export function GroupDialog(props: Props) {
  const { t } = useTranslation(['geofence', 'forms']);
  return (
    <Dialog open onClose={props.onClose} title={t('newGroup')} closeLabel={t('forms:close')}>
      <GroupForm {...props} />
    </Dialog>
  );
}

function GroupForm({ color, onClose, onMade }: Props) {
  const { t } = useTranslation(['geofence', 'forms']);
  const form = useForm({
    schema: newGeofenceGroupSchema,
    initial: { name: '' },
    toBody: ({ name }) => ({ name, color }),
    problemFields: { 'geofence-group-name-taken': 'name' },
    save: addGroup,
    onSaved: group => {
      onMade(group);
      onClose();
    },
  });
  return (
    <FormFrame form={form} label={t('newGroup')}>
      <TextField {...form.text('name')} label={t('groupName')} autoComplete="off" data-autofocus />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t('makeGroup')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
