import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useNow } from '../../../live/use-now.ts';
import { useVehicle } from '../../../live/use-vehicle.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import hidden from '../../../ui/hidden.module.css';
import { Plate } from '../../../ui/Plate.tsx';
import { StatusGlyph } from '../../../ui/StatusGlyph.tsx';
import { courseOf, shapeOfEntry } from '../../../vehicles/vehicle-shape.ts';
import { modelOf } from '../../../vehicles/vehicle-words.ts';
import { describeVehicle, spokenName } from '../describe-vehicle.ts';
import { setCurrentVehicle, toggleVehicle, useDashboard } from '../state/dashboard-state.ts';
import styles from './VehicleRow.module.css';

interface Props {
  readonly imei: string;
  /** Place in the whole list, counted from 1, and its length: only a window of it is drawn. */
  readonly position: number;
  readonly total: number;
  /** Distance from the top of the list in pixels. */
  readonly top: number;
}

/** One vehicle in two lines. It is drawn again when its vehicle changes and each second for the ages, and alone. */
export const VehicleRow = memo(function VehicleRow({ imei, position, total, top }: Props) {
  const { t } = useTranslation('dashboard');
  const system = useMeasureSystem();
  const entry = useVehicle(imei);
  const nowMs = useNow();
  const isCurrent = useDashboard(state => state.current === imei);
  const isSelected = useDashboard(state => state.selected.includes(imei));
  if (!entry) return null;
  const { vehicle } = entry;
  const words = describeVehicle(entry, nowMs, system, t);
  return (
    <li
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      aria-setsize={total}
      aria-posinset={position}
      data-current={isCurrent || undefined}
      data-status={entry.now.status}
    >
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside names itself; the label only makes it easier to hit. */}
      <label className={styles.check}>
        <Checkbox
          checked={isSelected}
          onChange={() => toggleVehicle(imei)}
          aria-label={t('list.select', { name: vehicle.deviceName })}
          tabIndex={-1}
        />
      </label>
      <button
        type="button"
        className={styles.main}
        data-imei={imei}
        aria-current={isCurrent || undefined}
        onClick={() => setCurrentVehicle(imei)}
      >
        {/* What is seen is terse; what is heard is a sentence. */}
        <span className={hidden.hidden}>{spokenName(entry, nowMs, system, t)}</span>
        <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} />
        <span className={styles.texts} aria-hidden="true">
          <span className={styles.line}>
            <Plate>{vehicle.deviceName}</Plate>
            <span className={styles.model}>{modelOf(vehicle) || vehicle.plate}</span>
            <b className={styles.figure}>{words.figure}</b>
          </span>
          <span className={styles.second}>
            <span className={styles.place}>{words.place}</span>
            <span className={styles.age} data-old={words.asOf !== null || undefined}>
              {words.asOf ?? words.age}
            </span>
          </span>
        </span>
      </button>
    </li>
  );
});
