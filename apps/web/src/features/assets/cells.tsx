import type { Vehicle } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { joined, wholeOdometerFigure } from '../../format/measure.ts';
import { useMeasureSystem } from '../../format/use-measure-system.ts';
import { useVehicle } from '../../live/view.ts';
import hidden from '../../ui/hidden.module.css';
import { Plate } from '../../ui/Plate.tsx';
import { StatusGlyph } from '../../ui/StatusGlyph.tsx';
import { protocolName } from '../../vehicles/protocol-name.ts';
import { courseOf, shapeOfEntry } from '../../vehicles/vehicle-shape.ts';
import { modelOf, odometerOf } from '../../vehicles/vehicle-words.ts';
import styles from './cells.module.css';
import { subscriptionOf } from './filters.ts';

/** Status shape and plate: the vehicle's status and name. */
export function UnitCell({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation('vehicle');
  const entry = useVehicle(vehicle.imei);
  return (
    <>
      <span className={styles.glyph}>
        {entry && <StatusGlyph shape={shapeOfEntry(entry)} course={courseOf(entry)} />}
      </span>
      <Plate>{vehicle.deviceName}</Plate>
      {entry && <span className={hidden.hidden}>, {t(`status.${entry.now.status}`).toLowerCase()}</span>}
    </>
  );
}

export function ModelCell({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation('assets');
  const model = modelOf(vehicle);
  return (
    <TwoLines>
      {model === '' ? <span className={styles.quiet}>{t('noModel')}</span> : <b className={styles.short}>{model}</b>}
      {vehicle.plate}
    </TwoLines>
  );
}

export function DriverCell({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation('assets');
  if (!vehicle.driver) return <span className={styles.quiet}>{t('noDriver')}</span>;
  return (
    <TwoLines>
      <span>{vehicle.driver.name}</span>
      {t(`driverBy.${vehicle.driver.source}`)}
    </TwoLines>
  );
}

/** The same cells on a phone, where a row is a card. */
export function CardLines({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation('assets');
  return (
    <span className={styles.lines}>
      <span className={styles.short}>
        {[modelOf(vehicle) || t('noModel'), vehicle.plate].filter(Boolean).join(' · ')}
      </span>
      <span className={styles.quiet}>{vehicle.driver?.name ?? t('noDriver')}</span>
    </span>
  );
}

export function TrackerCell({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation('assets');
  const protocol = protocolName(vehicle.protocol);
  return (
    <TwoLines>
      <span>{vehicle.trackerModel ?? protocol ?? <span className={styles.quiet}>{t('noReport')}</span>}</span>
      {vehicle.trackerModel && protocol}
    </TwoLines>
  );
}

export function OdometerCell({ vehicle }: { readonly vehicle: Vehicle }) {
  const system = useMeasureSystem();
  const km = odometerOf(useVehicle(vehicle.imei));
  return km === null ? null : joined(wholeOdometerFigure(km, system));
}

export function DaysLeftCell({ vehicle }: { readonly vehicle: Vehicle }) {
  const { daysRemaining } = vehicle;
  if (daysRemaining === null) return null;
  return (
    <span data-subscription={subscriptionOf(daysRemaining)} className={styles.days}>
      {daysRemaining}
    </span>
  );
}

function TwoLines({ children: [first, second] }: { readonly children: readonly [React.ReactNode, React.ReactNode] }) {
  return (
    <span className={styles.lines}>
      {first}
      {second && <small>{second}</small>}
    </span>
  );
}
