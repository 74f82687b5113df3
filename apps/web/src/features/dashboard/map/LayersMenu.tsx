import { IconStack2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { showFences, useMaySeeFences, useShowsFences } from '../../../geofences/use-fences-on-map.ts';
import { Menu, MenuItem } from '../../../ui/Menu.tsx';
import { showRoads, useDashboard } from '../state/dashboard-state.ts';
import styles from './MapNotice.module.css';
import { useMaySeeRoads } from './use-sees-roads.ts';

/** Map content other than vehicles. */
export function LayersMenu() {
  const { t } = useTranslation('dashboardMap');
  const roads = useDashboard(state => state.roads);
  const maySeeRoads = useMaySeeRoads();
  const maySeeFences = useMaySeeFences();
  const fences = useShowsFences();
  if (!maySeeRoads && !maySeeFences) return null;
  return (
    <Menu
      trigger={props => (
        <button {...props} type="button" className={styles.button}>
          <IconStack2 size={15} stroke={1.75} aria-hidden />
          {t('layers.title')}
        </button>
      )}
    >
      {maySeeRoads && (
        <MenuItem checked={roads} onClick={() => showRoads(!roads)}>
          {t('layers.roads')}
        </MenuItem>
      )}
      {maySeeFences && (
        <MenuItem checked={fences} onClick={() => showFences(!fences)}>
          {t('layers.geofences')}
        </MenuItem>
      )}
    </Menu>
  );
}
