import type { Driver } from '@milepost/contract';
import { IconMap2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatAge, formatDuration } from '../../../format/duration.ts';
import { placeWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useNow } from '../../../live/use-now.ts';
import { useVehicle } from '../../../live/use-vehicle.ts';
import { paths } from '../../../paths.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { FactList } from '../../../ui/FactList.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import { speedOf, speedWords, toldMs } from '../../../vehicles/shown.ts';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { modelOf } from '../../../vehicles/vehicle-words.ts';
import styles from './MinePage.module.css';

/** The vehicle that is driven now, as it is now. */
export function MyVehicle({ driver }: { readonly driver: Driver }) {
  const { t } = useTranslation(['personal', 'vehicle']);
  const entry = useVehicle(driver.vehicle?.imei ?? null);
  const nowMs = useNow();
  const system = useMeasureSystem();
  const shown = entry ? speedOf(entry, nowMs) : null;
  const told = entry ? toldMs(entry) : null;
  if (!driver.vehicle) return <p>{t('mine.noVehicle')}</p>;
  const { deviceName, imei, source } = driver.vehicle;
  return (
    <>
      <p className={styles.vehicle}>
        <Plate size="lg">{deviceName}</Plate>
        {entry && (
          <StatusChip shape={shapeOfEntry(entry)} course={courseOf(entry)}>
            {t(`vehicle:status.${entry.now.status}`)}{' '}
            {entry.now.sinceMs !== null && formatDuration(nowMs - entry.now.sinceMs)}
          </StatusChip>
        )}
      </p>
      <FactList
        facts={[
          [t('mine.model'), entry && modelOf(entry.vehicle)],
          [t('mine.plate'), entry?.vehicle.plate],
          [t('mine.place'), entry?.report && placeWords(entry.report, system)],
          [t('mine.speed'), shown && speedWords(shown, system)],
          [t('mine.heard'), told !== null && t('mine.ago', { age: formatAge(nowMs - told) })],
          [t('mine.how'), t(`mine.howIs.${source}`)],
        ]}
      />
      <div>
        <Link to={paths.vehicleOnMap(imei)} className={buttonLook()}>
          <IconMap2 size={16} stroke={1.75} aria-hidden />
          {t('mine.map')}
        </Link>
      </div>
    </>
  );
}
