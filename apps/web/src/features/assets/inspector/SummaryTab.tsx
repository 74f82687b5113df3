import { SUBSCRIPTION_DAYS, type Vehicle } from '@milepost/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useAccountZone } from '../../../base/account-settings.ts';
import { shifted } from '../../../figures/period.ts';
import { formatDate, isoDateOf } from '../../../format/date.ts';
import { joined, odometerFigure, volumeFigure, wireSpeedFigure } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { useFromNow, useVehicle } from '../../../live/view.ts';
import { FactList } from '../../../ui/FactList.tsx';
import { odometerOf } from '../../../vehicles/vehicle-words.ts';
import { subscriptionOf } from '../filters.ts';
import styles from './VehicleInspector.module.css';

/** What is known about the vehicle. */
export function SummaryTab({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation(['assets', 'vehicle']);
  const system = useMeasureSystem();
  const km = odometerOf(useVehicle(vehicle.imei));
  const { vin, plate, type, fuelType, tankLitres, speedLimitKmh, driver, tags, notes } = vehicle;
  const fuel = [
    fuelType && t(`vehicle:fuel.${fuelType}`),
    tankLitres !== null && joined(volumeFigure(tankLitres, system)),
  ].filter(Boolean);
  const facts: [string, ReactNode][] = [
    [t('facts.vin'), vin && <code>{vin}</code>],
    [t('facts.plate'), plate],
    [t('facts.type'), type && t(`vehicle:type.${type}`)],
    [t('facts.fuel'), fuel.join(', ')],
    [t('facts.speedLimit'), speedLimitKmh !== null && joined(wireSpeedFigure(speedLimitKmh, system))],
    [t('facts.odometer'), km !== null && joined(odometerFigure(km, system))],
    [t('facts.driver'), driver && `${driver.name}, ${t(`driverBy.${driver.source}`)}`],
    [t('facts.tags'), tags.join(', ')],
  ];
  return (
    <>
      <FactList facts={facts} />
      {notes && (
        <>
          <h3>{t('facts.notes')}</h3>
          <p className={styles.notes}>{notes}</p>
        </>
      )}
      {vehicle.daysRemaining !== null && <Subscription daysRemaining={vehicle.daysRemaining} />}
    </>
  );
}

/** How much of the subscription is left [R4.19]. */
function Subscription({ daysRemaining }: { readonly daysRemaining: number }) {
  const { t } = useTranslation('assets');
  const zone = useAccountZone();
  const until = useFromNow(nowMs => shifted(isoDateOf(nowMs, zone), daysRemaining));
  return (
    <>
      <h3>{t('subscription.title')}</h3>
      <div>
        <div className={styles.subscription}>
          <span>{t('subscription.left', { left: daysRemaining, total: SUBSCRIPTION_DAYS })}</span>
          <span>
            {daysRemaining > 0 ? t('subscription.until', { date: formatDate(until) }) : t('subscription.over')}
          </span>
        </div>
        <div className={styles.meter} data-subscription={subscriptionOf(daysRemaining)}>
          <i style={{ width: `${(daysRemaining / SUBSCRIPTION_DAYS) * 100}%` }} />
        </div>
      </div>
    </>
  );
}
