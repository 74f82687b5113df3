import { IconStack2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/Button.tsx';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { GROUPINGS } from '../state/fleet-url.ts';
import type { FleetState } from '../state/use-fleet-view.ts';

/** Chooses what rows are grouped by. */
export function GroupMenu({ state: { view, change } }: { readonly state: FleetState }) {
  const { t } = useTranslation('fleet');
  return (
    <Menu
      trigger={props => (
        <Button {...props} icon={<IconStack2 size={16} stroke={1.75} aria-hidden />}>
          {t(`group.by.${view.group}`)}
        </Button>
      )}
    >
      {GROUPINGS.map(id => (
        <MenuItem key={id} checked={id === view.group} onClick={() => change({ group: id })}>
          {t(`group.by.${id}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
