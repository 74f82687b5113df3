import { AlertBell } from '../../alerts/AlertBell.tsx';
import { AppearanceMenu } from '../../base/AppearanceMenu.tsx';
import { InstallButton } from '../install/InstallButton.tsx';
import { type AccountActions, AccountMenu } from './AccountMenu.tsx';

export { Rail } from './Rail.tsx';

/** The header's buttons and menus. On a phone, the account sheet has what is in them. */
export function HeaderMenus(actions: AccountActions) {
  return (
    <>
      <AlertBell />
      <InstallButton />
      <AppearanceMenu />
      <AccountMenu {...actions} />
    </>
  );
}
