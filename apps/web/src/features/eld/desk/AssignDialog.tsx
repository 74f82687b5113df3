import { assignUnidentified, type UnidentifiedDriving } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { rosterQuery } from '../queries.ts';
import { useWrite } from '../use-write.ts';

interface Props {
  readonly driving: UnidentifiedDriving;
  readonly onClose: () => void;
}

/** Asks a driver to claim unidentified driving; the most likely drivers come first. */
export function AssignDialog({ driving: { vehicle, record, candidates }, onClose }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const { data: roster = [] } = useQuery(rosterQuery);
  const likely = new Set(candidates.map(({ driverId }) => driverId));
  const others = roster
    .filter(({ driverId, archived, settings }) => !archived && settings.keepsLog && !likely.has(driverId))
    .map(({ driverId, name }) => ({ value: driverId, label: name }));
  const options = [
    ...candidates.map(({ driverId, name }) => ({ value: driverId, label: t('assign.likely', { name }) })),
    ...others,
  ];
  const [chosen, setChosen] = useState<string | null>(null);
  const driverId = chosen ?? options[0]?.value ?? '';
  const { mutate, isPending } = useWrite(
    () => call(assignUnidentified, { params: { vehicleId: vehicle.id, record }, body: { driverId } }),
    t('assign.done'),
    onClose,
  );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('assign.title', { unit: vehicle.deviceName })}
      closeLabel={t('forms:close')}
    >
      <p>{t('assign.text')}</p>
      <SelectField
        label={t('columns.driver')}
        options={options}
        value={driverId}
        onChange={event => setChosen(event.currentTarget.value)}
      />
      <DialogActions>
        <Button onClick={onClose}>{t('forms:cancel')}</Button>
        <Button
          variant="primary"
          busy={isPending}
          aria-disabled={driverId === '' || undefined}
          onClick={() => driverId !== '' && mutate()}
        >
          {t('assign.action')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
