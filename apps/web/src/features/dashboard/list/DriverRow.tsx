import type { Driver } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePast } from '../../../live/past.ts';
import { useNow, useVehicle } from '../../../live/view.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import hidden from '../../../ui/hidden.module.css';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { describeVehicle, spokenName } from '../describe-vehicle.ts';
import styles from './DriverRow.module.css';

/** A driver with their current vehicle and its status. */
export function DriverRow({ driver }: { readonly driver: Driver }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const system = useMeasureSystem();
  const nowMs = useNow();
  const isPast = usePast() !== undefined;
  const entry = useVehicle(driver.vehicle?.imei ?? null);
  const words = entry && describeVehicle(entry, nowMs, system, t, isPast);
  return (
    <>
      <span className={hidden.hidden}>
        {driver.name}, {entry ? spokenName(entry, nowMs, system, t) : t('drivers.noVehicle')}
      </span>
      <Avatar name={driver.name} kind="person" size={28} />
      <span className={styles.texts} aria-hidden="true">
        <span className={styles.line}>
          <b className={styles.name}>{driver.name}</b>
          {words && <b className={styles.figure}>{words.figure}</b>}
        </span>
        <span className={styles.second}>
          {driver.vehicle ? (
            <>
              {entry && <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} size={12} />}
              <Plate>{driver.vehicle.deviceName}</Plate>
              <span className={styles.place}>{words?.place ?? t('drivers.outOfSight')}</span>
              {words && (
                <span className={styles.age} data-old={words.asOf !== null || undefined}>
                  {words.asOf ?? words.age}
                </span>
              )}
            </>
          ) : (
            t('drivers.noVehicle')
          )}
        </span>
      </span>
    </>
  );
}
