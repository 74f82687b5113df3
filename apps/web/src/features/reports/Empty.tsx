import type { ReportPage } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { vehicleListQuery } from '../../live/vehicle-list.ts';
import { paths } from '../../paths.ts';
import { buttonLook } from '../../ui/Button.tsx';
import { EmptyRoad } from '../../ui/EmptyRoad.tsx';
import { Named } from './Completeness.tsx';
import styles from './ReportsPage.module.css';

const HEALTH = 'device-health';

/** Why a report has no rows, and where to see what the trackers sent. */
export function Empty({ page }: { readonly page: ReportPage }) {
  const { t } = useTranslation('reports');
  const { isOfPositions, key, passing, period, silent, vehicles, zone } = page;
  const { data: fleet } = useQuery(vehicleListQuery);
  const isFirst = fleet?.length === 0;
  const reason =
    vehicles === 0
      ? isFirst
        ? 'noneYet'
        : passing > 0
          ? 'onlyPassing'
          : 'noVehicles'
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
      {isFirst && (
        <Link to={paths.assets()} className={buttonLook({ variant: 'primary' })}>
          {t('empty.vehicles')}
        </Link>
      )}
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
