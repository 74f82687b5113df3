import { deleteVehicle, type Vehicle } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { DeleteNamedDialog } from '../../../forms/DeleteNamedDialog.tsx';

interface Props {
  readonly vehicle: Vehicle;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Deleting a vehicle deletes its history, so the user must type its name. */
export function DeleteVehicleDialog({ vehicle, onClose, onDeleted }: Props) {
  const { t } = useTranslation('assets');
  const { id, deviceName: name } = vehicle;
  return (
    <DeleteNamedDialog
      thing={['vehicle', id]}
      name={name}
      texts={{
        title: t('delete.title', { name }),
        text: t('delete.text'),
        word: t('delete.word', { name }),
        action: t('delete.action'),
        done: t('delete.done', { name }),
      }}
      remove={() => call(deleteVehicle, { params: { id } })}
      onClose={onClose}
      onDeleted={onDeleted}
    />
  );
}
