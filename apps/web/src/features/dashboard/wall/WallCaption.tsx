import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useNow, useVehicle } from '../../../live/view.ts';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusChip } from '../../../ui/StatusChip.tsx';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { driverOf, modelOf } from '../../../vehicles/vehicle-words.ts';
import { describeVehicle } from '../describe-vehicle.ts';
import styles from './Wall.module.css';
import type { WallStop } from './wall-stops.ts';

/** The shown vehicle, large enough to read from across a room. */
export function WallCaption({ stop }: { readonly stop: WallStop }) {
  const { t } = useTranslation('dashboardMap');
  if (stop.kind === 'vehicle') return <Vehicle imei={stop.imei} />;
  return (
    <div className={styles.caption}>
      <b className={styles.name}>{stop.name ?? t('wall.fleet')}</b>
      <span className={styles.place}>{t('wall.folder', { count: stop.imeis.length })}</span>
    </div>
  );
}

function Vehicle({ imei }: { readonly imei: string }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const system = useMeasureSystem();
  const nowMs = useNow();
  const entry = useVehicle(imei);
  if (!entry) return null;
  const words = describeVehicle(entry, nowMs, system, t);
  return (
    <div className={styles.caption}>
      <Plate size="lg">{entry.vehicle.deviceName}</Plate>
      <b className={styles.name}>{driverOf(entry)?.name ?? modelOf(entry.vehicle)}</b>
      <StatusChip shape={shapeOfEntry(entry)} course={courseOf(entry)}>
        {t(`vehicle:status.${entry.now.status}`)}
      </StatusChip>
      <b className={styles.name}>{words.figure}</b>
      <span className={styles.place}>{words.place}</span>
      <span className={styles.age} data-old={words.asOf !== null || undefined}>
        {words.asOf ?? words.age}
      </span>
    </div>
  );
}
