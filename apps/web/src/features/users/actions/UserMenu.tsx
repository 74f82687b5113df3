import type { User } from '@milepost/contract';
import {
  IconDots,
  IconKey,
  IconLogout,
  IconMailForward,
  IconShieldX,
  IconTrash,
  IconUserCheck,
  IconUserOff,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { factorOf } from '../describe-user.ts';
import type { UserAction } from './UserDialogs.tsx';

interface Props {
  readonly user: User;
  readonly onAction: (action: UserAction) => void;
}

/** What can be done with a user besides changing their access. */
export function UserMenu({ user, onAction }: Props) {
  const { t } = useTranslation(['users', 'registry']);
  if (!user.editable) return null;
  const isOff = user.state === 'deactivated';
  const all = [
    { kind: 'invite', Icon: IconMailForward, shown: user.state === 'invited' },
    { kind: 'set-password', Icon: IconKey, shown: true },
    { kind: 'reset-factor', Icon: IconShieldX, shown: factorOf(user) !== 'off' },
    { kind: 'sign-out', Icon: IconLogout, shown: user.sessions > 0 },
    { kind: 'activate', Icon: IconUserCheck, shown: isOff },
    { kind: 'deactivate', Icon: IconUserOff, shown: !isOff },
    { kind: 'delete', Icon: IconTrash, shown: true },
  ] as const;
  return (
    <Menu
      trigger={props => (
        <IconButton {...props} label={t('registry:actionsFor', { name: user.displayName })} tooltip="none">
          <IconDots size={18} stroke={1.75} aria-hidden />
        </IconButton>
      )}
    >
      {all
        .filter(({ shown }) => shown)
        .map(({ kind, Icon }) => (
          <MenuItem
            key={kind}
            icon={<Icon size={16} stroke={1.75} aria-hidden />}
            onClick={() => onAction({ kind, user })}
          >
            {t(`actions.${kind}`)}
          </MenuItem>
        ))}
    </Menu>
  );
}
