import { assignVehicle, listDrivers, type Vehicle } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../base/api.ts';
import { toast } from '../base/toasts/toast.ts';
import { changedHere } from '../changes/apply-changes.ts';
import { nameCollator } from '../format/locale.ts';
import { ChoiceDialog } from './ChoiceDialog.tsx';
import { DRIVERS_KEY } from './driver-list.ts';

interface Props {
  readonly vehicle: Vehicle;
  readonly onClose: () => void;
}

/** Chooses a vehicle's usual driver. A driver card in the vehicle still determines who is driving now. */
export function AssignDriverDialog({ vehicle, onClose }: Props) {
  const { t } = useTranslation('organisation');
  const { data: drivers, error: readError } = useQuery({ queryKey: DRIVERS_KEY, queryFn: () => call(listDrivers) });
  const before = vehicle.usualDriverId;
  const [chosen, setChosen] = useState(before ?? '');
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      // If no driver is chosen, the vehicle is taken from its current driver.
      const id = chosen === '' ? before : chosen;
      if (id !== null) {
        await call(assignVehicle, { params: { id }, body: { deviceId: chosen === '' ? null : vehicle.id } });
      }
      await changedHere(['vehicle', vehicle.id], ['driver', ...[before, chosen].flatMap(each => each || [])]);
    },
    onSuccess: () => {
      const name = drivers?.find(({ id }) => id === chosen)?.name;
      const vehicleName = vehicle.deviceName;
      toast(
        name
          ? t('usualDriver.assigned', { name, vehicle: vehicleName })
          : t('usualDriver.removed', { vehicle: vehicleName }),
      );
      onClose();
    },
  });
  const options = (drivers ?? [])
    .filter(({ archived }) => !archived)
    .toSorted((a, b) => nameCollator().compare(a.name, b.name))
    .map(({ id, name, vehicle: driven }) => ({
      value: id,
      label: driven && driven.id !== vehicle.id ? t('usualDriver.drives', { name, vehicle: driven.deviceName }) : name,
    }));
  return (
    <ChoiceDialog
      title={t('usualDriver.title', { vehicle: vehicle.deviceName })}
      label={t('usualDriver.label')}
      hint={t('usualDriver.hint')}
      options={[{ value: '', label: t('usualDriver.nobody') }, ...options]}
      chosen={chosen}
      onChoose={setChosen}
      ready={drivers !== undefined}
      action={t('usualDriver.save')}
      enabled={drivers !== undefined && chosen !== (before ?? '')}
      busy={isPending}
      error={error ?? readError}
      onSave={mutate}
      onClose={onClose}
    />
  );
}
