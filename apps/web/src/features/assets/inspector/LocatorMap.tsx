import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useVehicle } from '../../../live/use-vehicle.ts';
import styles from './VehicleInspector.module.css';

// The map is large, and the drawer is read without it.
const LocatorMapView = lazy(async () => ({ default: (await import('./LocatorMapView.tsx')).LocatorMapView }));

/** Where the vehicle is, or was last. */
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
      <Suspense>
        <LocatorMapView imei={imei} />
      </Suspense>
    </div>
  );
}
