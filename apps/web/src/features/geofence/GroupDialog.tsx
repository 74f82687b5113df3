import { type GeofenceColor, type GeofenceGroup, newGeofenceGroupSchema } from '@milepost/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../base/toasts/toast.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { Question } from '../../forms/Question.tsx';
import { useForm } from '../../forms/use-form.ts';
import { addGroup, changeGroup, removeGroup, useGeofences } from '../../geofences/use-geofences.ts';
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
  readonly onDeleted: () => void;
}

/** Adds, edits or deletes a group of geofences. A new group starts with the color of its first geofence. */
export function GroupDialog(props: Props) {
  const { t } = useTranslation(['geofence', 'forms']);
  const [isDeleting, setIsDeleting] = useState(false);
  const { group, onClose } = props;
  if (isDeleting && group) return <DeleteGroup {...props} group={group} />;
  return (
    <Dialog open onClose={onClose} title={t(group ? 'editGroup' : 'newGroup')} closeLabel={t('forms:close')}>
      <GroupForm {...props} onDelete={() => setIsDeleting(true)} />
    </Dialog>
  );
}

function DeleteGroup({ group, onClose, onDeleted }: Props & { readonly group: GeofenceGroup }) {
  const { t } = useTranslation('geofence');
  const { data: geofences = [] } = useGeofences();
  const { id, name, detention } = group;
  return (
    <Question
      title={t('deleteTitle', { name })}
      action={t('deleteGroup')}
      act={() => removeGroup(id)}
      onDone={() => {
        toast(t('deleted', { name }));
        onDeleted();
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {t('deleteGroupText', { count: geofences.filter(({ groupId }) => groupId === id).length })}
        {detention !== null && ` ${t('deleteGroupDetention')}`}
      </p>
    </Question>
  );
}

function GroupForm({ color, group, onClose, onSaved, onDelete }: Props & { readonly onDelete: () => void }) {
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
        {group && (
          <Button variant="text" onClick={onDelete}>
            {t('deleteGroup')}
          </Button>
        )}
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button type="submit" variant="primary" busy={form.saving}>
          {t(group ? 'saveGroup' : 'makeGroup')}
        </Button>
      </DialogActions>
    </FormFrame>
  );
}
