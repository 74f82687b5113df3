import type { Vehicle } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { formatAge } from '../../../format/duration.ts';
import { useNow, useVehicle } from '../../../live/view.ts';
import { FactList } from '../../../ui/FactList.tsx';
import { protocolName } from '../../../vehicles/protocol-name.ts';
import { gsmQuality } from '../../../vehicles/vehicle-words.ts';
import { RefusedReports } from './RefusedReports.tsx';
import styles from './VehicleInspector.module.css';

/** The tracker and its signal quality. */
export function DeviceTab({ vehicle }: { readonly vehicle: Vehicle }) {
  const { t } = useTranslation(['assets', 'vehicle']);
  const entry = useVehicle(vehicle.imei);
  const nowMs = useNow();
  const report = entry?.report;
  const health: [string, string][] = [
    [
      t('health.gsm'),
      report?.gsmStatus == null ? t('health.unknown') : t(`vehicle:gsm.${gsmQuality(report.gsmStatus)}`),
    ],
    [
      t('health.gps'),
      report?.gpsStatus === 'V'
        ? t('health.noFix')
        : report?.satellites != null
          ? t('health.satellites', { count: report.satellites })
          : t(report ? 'health.fix' : 'health.unknown'),
    ],
    [
      t('health.heard'),
      entry?.heardMs == null ? t('health.never') : t('health.ago', { age: formatAge(nowMs - entry.heardMs) }),
    ],
  ];
  return (
    <>
      <RefusedReports vehicle={vehicle} />
      <FactList
        facts={[
          [t('facts.trackerModel'), vehicle.trackerModel],
          [t('facts.protocol'), protocolName(vehicle.protocol)],
          [t('facts.imei'), <code key="imei">{vehicle.imei}</code>],
          [t('facts.addresses'), vehicle.trackerAddresses.join(', ') || null],
          [t('facts.trackerId'), vehicle.trackerId && <code>{vehicle.trackerId}</code>],
          [t('facts.sim'), vehicle.simNumber && <code>{vehicle.simNumber}</code>],
        ]}
      />
      <div className={styles.health}>
        {health.map(([label, value]) => (
          <div key={label}>
            <span>{label}</span>
            <b>{value}</b>
          </div>
        ))}
      </div>
    </>
  );
}
