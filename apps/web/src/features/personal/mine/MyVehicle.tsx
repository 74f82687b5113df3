import type { Driver } from '@milepost/contract';
import { IconMap2 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatAge, formatDuration } from '../../../format/duration.ts';
import { placeWords } from '../../../format/place.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useNow, useVehicle } from '../../../live/view.ts';
import { paths } from '../../../paths.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import { TodayLine } from '../../../vehicles/day/TodayLine.tsx';
import { speedOf, speedWords, toldMs } from '../../../vehicles/shown.ts';
import { courseOf, isOld, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { modelOf } from '../../../vehicles/vehicle-words.ts';
import styles from './MinePage.module.css';

/** The vehicle that the driver drives now, live. */
export function MyVehicle({ driver }: { readonly driver: Driver }) {
  const { t } = useTranslation(['personal', 'vehicle']);
  const entry = useVehicle(driver.vehicle?.imei ?? null);
  const nowMs = useNow();
  const system = useMeasureSystem();
  const shown = entry ? speedOf(entry, nowMs) : null;
  const told = entry ? toldMs(entry) : null;
  if (!driver.vehicle) return <p>{t('mine.noVehicle')}</p>;
  const { deviceName, imei, source } = driver.vehicle;
  const place = entry?.report && placeWords(entry.report, system);
  const facts = entry && [modelOf(entry.vehicle), entry.vehicle.plate].filter(Boolean).join(' · ');
  return (
    <>
      <div className={styles.vehicle}>
        <Plate size="lg">{deviceName}</Plate>
        <span className={styles.facts}>
          <b>{facts}</b>
          <span className={styles.quiet}>{t(`mine.howIs.${source}`)}</span>
        </span>
      </div>
      {entry && (
        <>
          <p className={styles.chips}>
            <StatusChip shape={shapeOfEntry(entry)} course={courseOf(entry)}>
              {t(`vehicle:status.${entry.now.status}`)}{' '}
              {entry.now.sinceMs !== null && formatDuration(nowMs - entry.now.sinceMs)}
            </StatusChip>
            {told !== null && (
              <span className={styles.quiet} data-old={isOld(entry) || undefined}>
                {t('mine.ago', { age: formatAge(nowMs - told) })}
              </span>
            )}
          </p>
          <p className={styles.where}>
            {shown && <b>{speedWords(shown, system)}</b>}
            {place && <span>{place}</span>}
          </p>
          <TodayLine entry={entry} />
        </>
      )}
      <Link to={paths.vehicleOnMap(imei)} className={buttonLook()}>
        <IconMap2 size={18} stroke={1.75} aria-hidden />
        {t('mine.map')}
      </Link>
    </>
  );
}
