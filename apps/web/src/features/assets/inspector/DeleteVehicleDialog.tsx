import { deleteVehicle, type Vehicle } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { RemoveDialog } from '../../../ui/RemoveDialog.tsx';

interface Props {
  readonly vehicle: Vehicle;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deleting a vehicle deletes its history, so the user must type its name. */
export function DeleteVehicleDialog({ vehicle, onClose, onDeleted }: Props) {
  const { t } = useTranslation(['assets', 'forms']);
  const name = vehicle.deviceName;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(deleteVehicle, { params: { id: vehicle.id } }),
    onSuccess: () => {
      toast(t('delete.done', { name }));
      onDeleted();
      void changedHere(['vehicle', vehicle.id]);
    },
  });
  return (
    <RemoveDialog
      open
      onClose={onClose}
      onConfirm={() => mutate()}
      title={t('delete.title', { name })}
      word={name}
      wordLabel={t('delete.word', { name })}
      confirmLabel={t('delete.action')}
      cancelLabel={t('forms:cancel')}
      closeLabel={t('forms:close')}
      busy={isPending}
      error={error ? describeError(error).message : undefined}
    >
      <p>{t('delete.text')}</p>
    </RemoveDialog>
  );
}
