import { type GeofenceColor, type GeofenceGroup, newGeofenceGroupSchema } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { describeError } from '../../base/describe-error.ts';
import { toast } from '../../base/toasts/toast.ts';
import { FormFrame } from '../../forms/FormFrame.tsx';
import { useForm } from '../../forms/use-form.ts';
import { addGroup, changeGroup, removeGroup, useGeofences } from '../../geofences/use-geofences.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { DialogActions } from '../../ui/DialogActions.tsx';
import { Notice } from '../../ui/Notice.tsx';
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
  const title = isDeleting ? t('deleteTitle', { name: group?.name }) : t(group ? 'editGroup' : 'newGroup');
  return (
    <Dialog open onClose={onClose} title={title} closeLabel={t('forms:close')}>
      {isDeleting && group ? (
        <DeleteGroup {...props} group={group} />
      ) : (
        <GroupForm {...props} onDelete={() => setIsDeleting(true)} />
      )}
    </Dialog>
  );
}

function DeleteGroup({ group, onClose, onDeleted }: Props & { readonly group: GeofenceGroup }) {
  const { t } = useTranslation(['geofence', 'forms']);
  const { data: geofences = [] } = useGeofences();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => removeGroup(group.id),
    onSuccess: () => {
      toast(t('deleted', { name: group.name }));
      onDeleted();
      onClose();
    },
  });
  const count = geofences.filter(({ groupId }) => groupId === group.id).length;
  return (
    <>
      {error && (
        <Notice tone="critical" role="alert">
          {describeError(error).message}
        </Notice>
      )}
      <p>
        {t('deleteGroupText', { count })}
        {group.detention !== null && ` ${t('deleteGroupDetention')}`}
      </p>
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('forms:cancel')}
        </Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate()}>
          {t('deleteGroup')}
        </Button>
      </DialogActions>
    </>
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
