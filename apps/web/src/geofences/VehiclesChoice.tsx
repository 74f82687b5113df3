import type { GeofenceVehicles } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Notice } from '../ui/Notice.tsx';
import { VehicleLists } from './VehicleLists.tsx';
import styles from './VehiclesChoice.module.css';

interface Props {
  readonly value: GeofenceVehicles | null;
  readonly onChange: (value: GeofenceVehicles | null) => void;
  readonly error: string | undefined;
}

/** Chooses the vehicles of a geofence or rule: all, or folders and single vehicles. */
export function VehiclesChoice({ value, onChange, error }: Props) {
  const { t } = useTranslation('geofence');
  return (
    <>
      {error && (
        <Notice tone="critical" role="alert">
          {error}
        </Notice>
      )}
      <fieldset className={styles.choices} data-field="vehicles">
        <legend>{t('vehicles.title')}</legend>
        <label>
          <input type="radio" checked={value === null} onChange={() => onChange(null)} />
          {t('vehicles.all')}
        </label>
        <label>
          <input
            type="radio"
            checked={value !== null}
            onChange={() => onChange(value ?? { folderIds: [], deviceIds: [] })}
          />
          {t('vehicles.some')}
        </label>
      </fieldset>
      {value && <VehicleLists value={value} onChange={onChange} />}
      {value && value.folderIds.length + value.deviceIds.length === 0 && (
        <p className={styles.quiet}>{t('vehicles.none')}</p>
      )}
    </>
  );
}
