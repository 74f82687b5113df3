import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePast } from '../../../live/past.ts';
import { useNow, useVehicle } from '../../../live/view.ts';
import hidden from '../../../ui/hidden.module.css';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { driverOf, modelOf } from '../../../vehicles/vehicle-words.ts';
import { describeVehicle, spokenName } from '../describe-vehicle.ts';
import styles from './VehicleRow.module.css';

/**
 * One vehicle in two lines. It renders when its vehicle changes and every second for the ages, without the other rows.
 */
export const VehicleRow = memo(function VehicleRow({ imei }: { readonly imei: string }) {
  const { t } = useTranslation('dashboard');
  const system = useMeasureSystem();
  const entry = useVehicle(imei);
  const nowMs = useNow();
  const isPast = usePast() !== undefined;
  if (!entry) return null;
  const { vehicle } = entry;
  const words = describeVehicle(entry, nowMs, system, t, isPast);
  return (
    <>
      {/* Short on screen, a full sentence for screen readers. */}
      <span className={hidden.hidden}>{spokenName(entry, nowMs, system, t)}</span>
      <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} />
      <span className={styles.texts} aria-hidden="true">
        <span className={styles.line}>
          <Plate>{vehicle.deviceName}</Plate>
          <span className={styles.who}>{driverOf(entry)?.name ?? (modelOf(vehicle) || vehicle.plate)}</span>
          <b className={styles.figure}>{words.figure}</b>
        </span>
        <span className={styles.second}>
          <span className={styles.place}>{words.place}</span>
          <span className={styles.age} data-old={words.asOf !== null || undefined}>
            {words.asOf ?? words.age}
          </span>
        </span>
      </span>
    </>
  );
});
