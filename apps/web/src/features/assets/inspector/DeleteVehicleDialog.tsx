import { deleteVehicle, type Vehicle } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { describeError } from '../../../app/describe-error.ts';
import { toast } from '../../../app/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { RemoveDialog } from '../../../ui/RemoveDialog.tsx';

interface Props {
  readonly vehicle: Vehicle;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** A vehicle goes with its whole history: its name has to be typed. */
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
