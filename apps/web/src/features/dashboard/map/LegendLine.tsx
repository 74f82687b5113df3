import { IconMapOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../../paths.ts';
import styles from './LegendLine.module.css';

interface Props {
  readonly seesRoads: boolean;
  /** The view shows a place for which the map has no streets. */
  readonly lacksStreets: boolean;
  /** This user may choose where streets come from. */
  readonly mayAdd: boolean;
}

/** One line, or two if space is short. */
export function LegendLine({ seesRoads, lacksStreets, mayAdd }: Props) {
  const { t } = useTranslation('dashboardMap');
  if (!seesRoads && !lacksStreets) return null;
  return (
    <div className={styles.legend}>
      {seesRoads && (
        <span>
          <i className={styles.road} aria-hidden />
          {t('layers.roadsKey')}
        </span>
      )}
      {lacksStreets && (
        <span>
          <IconMapOff size={16} stroke={1.75} aria-hidden />
          {t('noStreets')}
          {mayAdd && (
            <Link className={styles.link} to={paths.settings('maps')}>
              {t('addStreets')}
            </Link>
          )}
        </span>
      )}
    </div>
  );
}
