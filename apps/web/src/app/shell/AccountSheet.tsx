import { IconCheck, IconDeviceMobileDown, IconLogout, IconSearch, IconUser } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { APPEARANCES, setAppearance, useAppearance } from '../../base/appearance.ts';
import { useAppName } from '../../base/client-settings.ts';
import { useNavigation } from '../../base/navigation.ts';
import { signOut } from '../../base/session/sign-out.ts';
import { paths } from '../../paths.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useInstall } from '../install/install.ts';
import { openPalette } from '../palette/open.ts';
import styles from './AccountSheet.module.css';
import { SignedInUser } from './SignedInUser.tsx';

interface Props {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly onInstall: () => void;
}

/** On a phone, one sheet with everything that is in the header's menus on larger screens. */
export function AccountSheet({ open, onClose, onInstall }: Props) {
  const { t } = useTranslation(['shell', 'install']);
  const app = useAppName();
  const installed = useInstall(state => state.installed);
  const places = useNavigation().filter(({ phone }) => !phone);
  const appearance = useAppearance(state => state.appearance);
  return (
    <Dialog open={open} onClose={onClose} title={t('account.title')} closeLabel={t('close')}>
      <SignedInUser />
      <button
        type="button"
        className={styles.action}
        onClick={() => {
          onClose();
          openPalette();
        }}
      >
        <IconSearch size={20} stroke={1.75} aria-hidden />
        {t('shortcuts.search')}
      </button>
      <Link to={paths.profile()} className={styles.action} onClick={onClose}>
        <IconUser size={20} stroke={1.75} aria-hidden />
        {t('account.profile')}
      </Link>
      {places.map(({ key, path, Icon }) => (
        <Link key={key} to={path} className={styles.action} onClick={onClose}>
          <Icon size={20} stroke={1.75} aria-hidden />
          {t(`nav.${key}`)}
        </Link>
      ))}
      <fieldset className={styles.choices}>
        <legend>{t('appearance.title')}</legend>
        {APPEARANCES.map(choice => (
          <label key={choice} className={styles.choice}>
            <input
              type="radio"
              name="appearance"
              checked={appearance === choice}
              onChange={() => setAppearance(choice)}
            />
            {t(`appearance.${choice}`)}
            {appearance === choice && <IconCheck size={18} stroke={1.75} aria-hidden />}
          </label>
        ))}
      </fieldset>
      {!installed && (
        <button type="button" className={styles.action} onClick={onInstall}>
          <IconDeviceMobileDown size={20} stroke={1.75} aria-hidden />
          {t('install:install', { app })}
        </button>
      )}
      <button type="button" className={styles.action} onClick={signOut}>
        <IconLogout size={20} stroke={1.75} aria-hidden />
        {t('account.signOut')}
      </button>
    </Dialog>
  );
}
