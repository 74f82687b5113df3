import { assignVehicle, type Driver } from '@milepost/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../app/api.ts';
import { describeError } from '../../../app/describe-error.ts';
import { toast } from '../../../app/toasts/toast.ts';
import { nameCollator } from '../../../format/locale.ts';
import { vehicleListQuery } from '../../../live/vehicle-list.ts';
import { rereadMembers } from '../../../organisation/writes.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { modelOf } from '../../../vehicles/vehicle-words.ts';

interface Props {
  readonly person: Driver;
  readonly onClose: () => void;
}

/** Makes somebody the usual driver of a vehicle, or of none. */
export function AssignVehicleDialog({ person, onClose }: Props) {
  const { t } = useTranslation(['personal', 'forms']);
  const { data: vehicles = [] } = useQuery(vehicleListQuery);
  const usual = vehicles.find(({ usualDriverId }) => usualDriverId === person.id);
  const [chosen, setChosen] = useState<string | null>(null);
  const deviceId = chosen ?? usual?.id ?? '';
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      call(assignVehicle, { params: { id: person.id }, body: { deviceId: deviceId === '' ? null : deviceId } }),
    onSuccess: () => {
      const vehicle = vehicles.find(({ id }) => id === deviceId)?.deviceName;
      toast(t(vehicle ? 'assign.done' : 'assign.doneNone', { name: person.name, vehicle }));
      void rereadMembers('department');
      void rereadMembers('folder');
      onClose();
    },
  });
  const options = vehicles
    .toSorted((a, b) => nameCollator().compare(a.deviceName, b.deviceName))
    .map(vehicle => {
      const words = [vehicle.deviceName, modelOf(vehicle)].filter(Boolean).join(' · ');
      const isTaken = vehicle.usualDriverId !== null && vehicle.usualDriverId !== person.id;
      return { value: vehicle.id, label: isTaken ? t('assign.taken', { vehicle: words }) : words };
    });
  return (
    <Dialog open onClose={onClose} title={t('assign.title', { name: person.name })} closeLabel={t('forms:close')}>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (!isPending) mutate();
        }}
      >
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        <SelectField
          label={t('assign.vehicle')}
          hint={t('assign.hint')}
          value={deviceId}
          onChange={event => setChosen(event.currentTarget.value)}
          options={[{ value: '', label: t('assign.none') }, ...options]}
          data-autofocus
        />
        <DialogActions>
          <Button onClick={onClose}>{t('forms:cancel')}</Button>
          <Button type="submit" variant="primary" busy={isPending}>
            {t('assign.action')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
