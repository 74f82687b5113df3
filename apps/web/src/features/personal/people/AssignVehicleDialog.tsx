import { assignVehicle, type Driver } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { toast } from '../../../base/toasts/toast.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { nameCollator } from '../../../format/locale.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { ChoiceDialog } from '../../../organisation/ChoiceDialog.tsx';
import { modelOf } from '../../../vehicles/vehicle-words.ts';

interface Props {
  readonly person: Driver;
  readonly onClose: () => void;
}

/** Sets a driver's usual vehicle, or none. */
export function AssignVehicleDialog({ person, onClose }: Props) {
  const { t } = useTranslation('personal');
  const { data: vehicles, error: readError } = useQuery(vehicleListQuery);
  const before = vehicles?.find(({ usualDriverId }) => usualDriverId === person.id)?.id ?? '';
  const [chosen, setChosen] = useState<string | null>(null);
  const deviceId = chosen ?? before;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(assignVehicle, { params: { id: person.id }, body: { deviceId: deviceId === '' ? null : deviceId } }),
    onSuccess: () => {
      const vehicle = vehicles?.find(({ id }) => id === deviceId)?.deviceName;
      toast(t(vehicle ? 'assign.done' : 'assign.doneNone', { name: person.name, vehicle }));
      void changedHere(['driver', person.id], ['vehicle', ...[before, deviceId].filter(id => id !== '')]);
      onClose();
    },
  });
  const options = vehicles
    ?.toSorted((a, b) => nameCollator().compare(a.deviceName, b.deviceName))
    .map(vehicle => {
      const words = [vehicle.deviceName, modelOf(vehicle)].filter(Boolean).join(' · ');
      const isTaken = vehicle.usualDriverId !== null && vehicle.usualDriverId !== person.id;
      return { value: vehicle.id, label: isTaken ? t('assign.taken', { vehicle: words }) : words };
    });
  return (
    <ChoiceDialog
      title={t('assign.title', { name: person.name })}
      label={t('assign.vehicle')}
      hint={t('assign.hint')}
      options={options ? [{ value: '', label: t('assign.none') }, ...options] : []}
      chosen={deviceId}
      onChoose={setChosen}
      ready={vehicles !== undefined}
      action={t('assign.action')}
      enabled={vehicles !== undefined && deviceId !== before}
      busy={isPending}
      error={error ?? readError}
      onSave={mutate}
      onClose={onClose}
    />
  );
}
