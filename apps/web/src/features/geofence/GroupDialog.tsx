import { type GeofenceColor, type GeofenceGroup, newGeofenceGroupSchema } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { toast } from '../../base/toasts/toast.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { addGroup, changeGroup } from '../../geofences/use-geofences.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { DetentionFields } from './DetentionFields.tsx';
import { detentionOf, detentionTexts } from './geofence-form.ts';

interface Props {
  /** Null to add a group. */
  readonly group: GeofenceGroup | null;
  /** Initial color of a new group. */
  readonly color: GeofenceColor;
  readonly onClose: () => void;
  readonly onSaved: (group: GeofenceGroup) => void;
}

/** Adds or edits a group of geofences. A new group starts with the color of its first geofence. */
export function GroupDialog(props: Props) {
  const { t } = useTranslation(['geofence', 'forms']);
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t(props.group ? 'editGroup' : 'newGroup')}
      closeLabel={t('forms:close')}
    >
      <GroupForm {...props} />
    </Dialog>
  );
}

function GroupForm({ color, group, onClose, onSaved }: Props) {
  const { t } = useTranslation(['geofence', 'forms']);
  const form = useForm({
    schema: newGeofenceGroupSchema,
    initial: { name: group?.name ?? '', ...detentionTexts(group?.detention ?? null) },
    toBody: ({ name, ...values }) => ({ name, color: group?.color ?? color, detention: detentionOf(values) }),
    problemFields: { 'geofence-group-name-taken': 'name' },
    save: body => (group ? changeGroup(group.id, body) : addGroup(body)),
    onSaved: saved => {
      if (group) toast(t('groupSaved', { name: saved.name }));
      onSaved(saved);
      onClose();
    },
  });
  return (
    <FormFrame form={form} label={t(group ? 'editGroup' : 'newGroup')}>
      <TextField {...form.text('name')} label={t('groupName')} autoComplete="off" data-autofocus />
      <DetentionFields form={form} hint={t('detention.ofGroup')} />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t(group ? 'saveGroup' : 'makeGroup')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
