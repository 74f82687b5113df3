import { renewDeviceKey, type Vehicle } from '@milepost/contract';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { describeError } from '../../../base/describe-error.ts';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { Notice } from '../../../ui/Notice.tsx';

/** Creates a new key for a tracker on MQTT; the old key stops working at once. */
export function DeviceKeyDialog({ vehicle, onClose }: { readonly vehicle: Vehicle; readonly onClose: () => void }) {
  const { t } = useTranslation(['assets', 'forms']);
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => call(renewDeviceKey, { params: { id: vehicle.id } }),
  });
  return (
    <Dialog open onClose={onClose} title={t('key.title', { name: vehicle.deviceName })} closeLabel={t('forms:close')}>
      <div>
        {error && (
          <Notice tone="critical" role="alert">
            {describeError(error).message}
          </Notice>
        )}
        {data ? (
          <>
            <p role="status">{t('key.made')}</p>
            <CopyLine text={data.deviceKey} label={t('key.copy')} copied={t('key.copied')} />
          </>
        ) : (
          <p>{t('key.text')}</p>
        )}
        <DialogActions>
          <Button onClick={onClose} variant={data ? 'primary' : 'default'}>
            {t(data ? 'forms:close' : 'forms:cancel')}
          </Button>
          {!data && (
            <Button variant="primary" busy={isPending} onClick={() => mutate()}>
              {t('key.make')}
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  );
}
