import { IconRoute } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { chooseTrail, TRAILS, useDashboard } from '../state/dashboard-state.ts';
import styles from './MapNotice.module.css';

/** Chooses how much of the current vehicle's trail is drawn. */
export function TrailMenu() {
  const { t } = useTranslation('dashboardMap');
  const trail = useDashboard(state => state.trail);
  return (
    <Menu
      trigger={props => (
        <button {...props} type="button" className={styles.button}>
          <IconRoute size={15} stroke={1.75} aria-hidden />
          {t(`trail.short.${trail}`)}
        </button>
      )}
    >
      {TRAILS.map(one => (
        <MenuItem key={one} checked={one === trail} onClick={() => chooseTrail(one)}>
          {t(`trail.${one}`)}
        </MenuItem>
      ))}
    </Menu>
  );
}
