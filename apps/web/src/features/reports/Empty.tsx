import type { ReportPage } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import { Named } from './Completeness.tsx';
import styles from './ReportsPage.module.css';

const HEALTH = 'device-health';

/** Why a report has no rows, and where to see what the trackers sent. */
export function Empty({ page }: { readonly page: ReportPage }) {
  const { t } = useTranslation('reports');
  const { isOfPositions, key, period, silent, vehicles, zone } = page;
  const reason =
    vehicles === 0
      ? 'noVehicles'
      : isOfPositions && silent.count === vehicles
        ? 'noData'
        : isOfPositions
          ? 'nothing'
          : 'none';
  return (
    <div className={styles.empty}>
      <EmptyRoad />
      <h2>{t(`empty.${reason}`)}</h2>
      <p>{t(`empty.${reason}Text`)}</p>
      {silent.count > 0 && (
        <p>
          <Named of={silent} zone={zone} />
        </p>
      )}
      {isOfPositions && vehicles > 0 && key !== HEALTH && (
        <p>
          <Link to={paths.reports(HEALTH, `from=${period.from}&to=${period.to}`)}>{t('empty.health')}</Link>
        </p>
      )}
    </div>
  );
}
