import { IconDownload, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useAppName } from '../../base/client-settings.ts';
import { useSession } from '../../base/session/session.ts';
import { signOut } from '../../base/session/sign-out.ts';
import { paths } from '../../paths.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Menu, MenuItem } from '../../ui/Menu.tsx';
import { useInstall } from '../install/install.ts';
import styles from './AccountMenu.module.css';
import { SignedInUser } from './SignedInUser.tsx';

export interface AccountActions {
  readonly onShortcuts: () => void;
  readonly onInstall: () => void;
}

/** The user's menu in the header, on screens of 600 px and wider. */
export function AccountMenu({ onShortcuts, onInstall }: AccountActions) {
  const { t } = useTranslation(['shell', 'install']);
  const app = useAppName();
  const navigate = useNavigate();
  const installed = useInstall(state => state.installed);
  const name = useSession(session => session.me?.displayName ?? '');
  return (
    <Menu
      trigger={props => (
        <button {...props} type="button" className={styles.avatar} aria-label={t('account.button', { name })}>
          <Avatar name={name} kind="person" />
        </button>
      )}
    >
      <SignedInUser />
      <MenuItem icon={<IconUser size={16} stroke={1.75} aria-hidden />} onClick={() => void navigate(paths.profile())}>
        {t('account.profile')}
      </MenuItem>
      <MenuItem icon={<IconKeyboard size={16} stroke={1.75} aria-hidden />} onClick={onShortcuts}>
        {t('account.shortcuts')}
      </MenuItem>
      {!installed && (
        <MenuItem icon={<IconDownload size={16} stroke={1.75} aria-hidden />} onClick={onInstall}>
          {t('install:install', { app })}
        </MenuItem>
      )}
      <MenuItem icon={<IconLogout size={16} stroke={1.75} aria-hidden />} onClick={signOut}>
        {t('account.signOut')}
      </MenuItem>
    </Menu>
  );
}
