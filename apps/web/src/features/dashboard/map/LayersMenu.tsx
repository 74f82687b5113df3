import { IconStack2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { showRoads, useDashboard } from '../state/dashboard-state.ts';
import styles from './MapNotice.module.css';

/** Map content other than vehicles. */
export function LayersMenu() {
  const { t } = useTranslation('dashboardMap');
  const roads = useDashboard(state => state.roads);
  return (
    <Menu
      trigger={props => (
        <button {...props} type="button" className={styles.button}>
          <IconStack2 size={15} stroke={1.75} aria-hidden />
          {t('layers.title')}
        </button>
      )}
    >
      <MenuItem checked={roads} onClick={() => showRoads(!roads)}>
        {t('layers.roads')}
      </MenuItem>
    </Menu>
  );
}
