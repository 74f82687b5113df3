import { useTranslation } from 'react-i18next';
import { lazyChunk } from '../../../base/chunks/load-chunk.ts';
import { Part } from '../../../base/chunks/Part.tsx';
import { useVehicle } from '../../../live/view.ts';
import styles from './VehicleInspector.module.css';

// The map is large, and the drawer is useful without it.
const LocatorMapView = lazyChunk(async () => (await import('./LocatorMapView.tsx')).LocatorMapView);

/** Where the vehicle is or last was. */
export function LocatorMap({ imei }: { readonly imei: string }) {
  const { t } = useTranslation('assets');
  const entry = useVehicle(imei);
  if (!entry?.place) {
    return (
      <div className={styles.map}>
        <p>{t('locator.nowhere')}</p>
      </div>
    );
  }
  return (
    <div className={styles.map}>
      <Part>
        <LocatorMapView imei={imei} />
      </Part>
    </div>
  );
}
