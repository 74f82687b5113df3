import { agedBy, VEHICLE_STATUSES } from '@milepost/geo';
import { useTranslation } from 'react-i18next';
import { useAccountSettings } from '../../../base/account-settings.ts';
import { formatAge } from '../../../format/duration.ts';
import { joined, speedFigure } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { shapeOf } from '../../../ui/status-shapes.ts';
import styles from './Legend.module.css';

/** Every marker shape with its status and the rule behind it. */
export function Legend() {
  const { t } = useTranslation(['dashboardMap', 'vehicle']);
  const system = useMeasureSystem();
  const { movingSpeed, standingAfterMs, outdatedAfterMs, offlineAfterMs } = agedBy(useAccountSettings());
  return (
    <>
      <h2>{t('legend.title')}</h2>
      <dl className={styles.legend}>
        {VEHICLE_STATUSES.map(status => (
          <div key={status}>
            <dt>
              <StatusGlyph shape={shapeOf(status)} size={15} course={45} />
              {t(`vehicle:status.${status}`)}
            </dt>
            <dd>
              {t(`legend.${status}`, {
                speed: joined(speedFigure(movingSpeed, system)),
                minutes: standingAfterMs / 60_000,
                limit: formatAge(status === 'offline' ? offlineAfterMs : outdatedAfterMs),
              })}
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles.clusters}>{t('legend.clusters')}</p>
    </>
  );
}
