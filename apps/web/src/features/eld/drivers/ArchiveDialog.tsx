import { type RosterDriver, readDriver, updateDriver } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { changedHere } from '../../../changes/apply-changes.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { useWrite } from '../use-write.ts';

interface Props {
  readonly driver: RosterDriver;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Archives a driver who has left. The log stays, as the regulations require. */
export function ArchiveDialog({ driver: { driverId, name }, onClose, onDone }: Props) {
  const { t } = useTranslation(['eld', 'forms']);
  const { data } = useQuery({
    queryKey: ['driver', driverId],
    queryFn: () => call(readDriver, { params: { id: driverId } }),
  });
  const vehicle = data?.vehicle?.source === 'signed-in' ? data.vehicle.deviceName : null;
  const { mutate, isPending } = useWrite(
    async () => {
      await call(updateDriver, { params: { id: driverId }, body: { archived: true } });
      await changedHere(['driver', driverId]);
    },
    t('archive.done', { name }),
    onDone,
  );
  return (
    <Dialog open onClose={onClose} title={t('archive.title', { name })} closeLabel={t('forms:close')}>
      {vehicle !== null && <Notice tone="warning">{t('archive.signedIn', { name, vehicle })}</Notice>}
      <p>{t('archive.text')}</p>
      <DialogActions>
        <Button onClick={onClose} data-autofocus>
          {t('forms:cancel')}
        </Button>
        <Button variant="primary" busy={isPending} onClick={() => mutate()}>
          {t('archive.action')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
