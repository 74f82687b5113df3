import { IconDeviceDesktopDown, IconDeviceMobileDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAppName } from '../../base/client-settings.ts';
import { useMedia } from '../../base/use-media.ts';
import { Button } from '../../ui/Button.tsx';
import { acceptOffer, useInstall } from './install.ts';

/** Shown only while the browser offers to install the app [R2.21]. */
export function InstallButton() {
  const { t } = useTranslation('install');
  const app = useAppName();
  const offered = useInstall(state => state.offer !== null);
  const phone = useMedia('(pointer: coarse)');
  if (!offered) return null;
  const Icon = phone ? IconDeviceMobileDown : IconDeviceDesktopDown;
  return (
    <Button icon={<Icon size={16} stroke={1.75} aria-hidden />} onClick={() => void acceptOffer()}>
      {t('install', { app })}
    </Button>
  );
}
