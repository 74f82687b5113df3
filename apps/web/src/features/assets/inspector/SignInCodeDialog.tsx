import type { Vehicle } from '@milepost/contract';
import { IconPrinter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { paths } from '../../../paths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogActions } from '../../../ui/DialogActions.tsx';
import { QrCode } from '../../../ui/QrCode.tsx';
import styles from './SignInCode.module.css';

/**
 * The code to stick in the cab: the camera of a driver's phone opens their log with this vehicle chosen. It is an address
 * and nothing else, so a photo of it lets nobody in.
 */
export function SignInCodeDialog({ vehicle, onClose }: { readonly vehicle: Vehicle; readonly onClose: () => void }) {
  const { t } = useTranslation(['assets', 'forms']);
  const address = `${location.origin}${paths.eldSignIn(vehicle.id)}`;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('signInCode.title', { name: vehicle.deviceName })}
      closeLabel={t('forms:close')}
    >
      <div className={styles.content}>
        <p>{t('signInCode.text')}</p>
        <div className={styles.sheet}>
          <QrCode text={address} label={t('signInCode.code', { name: vehicle.deviceName })} />
          <b>{vehicle.deviceName}</b>
          <span>{t('signInCode.scan')}</span>
        </div>
        <CopyLine text={address} label={t('signInCode.copy')} copied={t('signInCode.copied')} />
        <DialogActions>
          <Button onClick={onClose}>{t('forms:close')}</Button>
          <Button
            variant="primary"
            icon={<IconPrinter size={16} stroke={1.75} aria-hidden />}
            onClick={() => window.print()}
          >
            {t('signInCode.print')}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  );
}
