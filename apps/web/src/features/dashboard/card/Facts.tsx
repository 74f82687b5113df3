import type { PositionReport } from '@milepost/contract';
import { celsius, metres } from '@milepost/units';
import type { TFunction } from 'i18next';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Part } from '../../../base/chunks/Part.tsx';
import { withTexts } from '../../../base/chunks/with-texts.ts';
import { listOf } from '../../../format/locale.ts';
import {
  heightFigure,
  joined,
  type MeasureSystem,
  odometerFigure,
  temperatureFigure,
} from '../../../format/measure.ts';
import { formatClock, formatDay, startOfDay } from '../../../format/time.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { usePast } from '../../../live/past.ts';
import type { VehicleEntry } from '../../../live/vehicle-entry.ts';
import { useFromNow } from '../../../live/view.ts';
import { protocolName } from '../../../vehicles/protocol-name.ts';
import { gsmQuality } from '../../../vehicles/vehicle-words.ts';
import styles from './Facts.module.css';

const EventName = withTexts(() => import('./EventName.tsx'), {
  trackerEvents: () => import('../../../locales/en-US/tracker-events.json'),
  alerts: () => import('@milepost/contract/texts/en-US/alerts.json'),
});

type T = TFunction<['dashboard', 'vehicle']>;

interface Row {
  readonly label: string;
  readonly value: ReactNode;
}

/** Every field of the newest report in words; one line names fields this tracker doesn't send. */
export function Facts({ entry }: { readonly entry: VehicleEntry }) {
  const { t } = useTranslation(['dashboard', 'vehicle']);
  const system = useMeasureSystem();
  const { report, vehicle, fixMs, receivedMs } = entry;
  const today = useFromNow(startOfDay);
  const then = usePast()?.picture?.vehicles.find(({ deviceId }) => deviceId === vehicle.id);
  // In the past view, a report that arrived later counts as received right away; here we show when it really arrived.
  const cameMs = then?.arrivedLater && then.report?.receivedAt ? Date.parse(then.report.receivedAt) : null;
  const rows: Row[] = report ? reportRows(report, system, t) : [];
  if (report && fixMs !== null) {
    rows.push({
      label: t('now.reported'),
      value: (
        <>
          {clockOn(fixMs, today)}{' '}
          {receivedMs !== null && (
            <span className={styles.quiet}>
              {t('now.received', { time: cameMs === null ? formatClock(receivedMs) : clockOn(cameMs, today) })}
            </span>
          )}
          {report.late && <span className={styles.late}>{t('now.late')}</span>}
        </>
      ),
    });
  }
  rows.push({ label: t('now.imei'), value: <span className={styles.mono}>{vehicle.imei}</span> });
  if (vehicle.protocol) rows.push({ label: t('now.protocol'), value: protocolName(vehicle.protocol) });
  const missing = report ? missingFields(report, t) : [];
  return (
    <div className={styles.root}>
      <dl className={styles.facts}>
        {rows.map(({ label, value }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </Fragment>
        ))}
      </dl>
      {missing.length > 0 && <p className={styles.missing}>{t('now.notSent', { fields: listOf(missing) })}</p>}
    </div>
  );
}

function reportRows(report: PositionReport, system: MeasureSystem, t: T): Row[] {
  const rows: Row[] = [];
  const add = (label: string, value: ReactNode): void => void rows.push({ label, value });
  const { ignitionStatus, fuelGage, mileage, temp, altitude, rfid, eventType } = report;
  if (ignitionStatus !== null) add(t('now.ignition'), t(ignitionStatus === 1 ? 'now.on' : 'now.off'));
  if (fuelGage !== null) add(t('now.fuel'), <Fuel percent={fuelGage} />);
  if (mileage !== null) add(t('now.odometer'), joined(odometerFigure(mileage, system)));
  if (temp !== null) add(t('now.temperature'), joined(temperatureFigure(celsius(temp), system)));
  add(t('now.signal'), signalText(report, t));
  if (altitude != null) add(t('now.altitude'), joined(heightFigure(metres(altitude), system)));
  if (rfid !== null) add(t('now.card'), <span className={styles.mono}>{spaced(rfid)}</span>);
  if (eventType !== null) {
    add(
      t('now.event'),
      <Part>
        <EventName event={eventType} />
      </Part>,
    );
  }
  return rows;
}

function Fuel({ percent }: { readonly percent: number }) {
  return (
    <>
      <span className={styles.meter}>
        <i style={{ width: `${Math.max(0, Math.min(100, percent))}%` }} />
      </span>
      {Math.round(percent)}%
    </>
  );
}

function signalText({ gsmStatus, gpsStatus, satellites, hdop }: PositionReport, t: T): string {
  return [
    gsmStatus === null ? '' : t('now.gsm', { quality: t(`vehicle:gsm.${gsmQuality(gsmStatus)}`) }),
    gpsStatus === 'V'
      ? t('now.gpsInvalid')
      : satellites == null
        ? t('now.gpsValid')
        : t('now.satellites', { count: satellites }),
    hdop == null ? '' : t('now.hdopValue', { hdop }),
  ]
    .filter(Boolean)
    .join(' · ');
}

function missingFields(report: PositionReport, t: T): string[] {
  const fields = {
    ignition: report.ignitionStatus,
    fuel: report.fuelGage,
    odometer: report.mileage,
    temperature: report.temp,
    gsm: report.gsmStatus,
    satellites: report.satellites,
    altitude: report.altitude,
    card: report.rfid,
  } as const;
  return (Object.keys(fields) as (keyof typeof fields)[])
    .filter(field => fields[field] === null || fields[field] === undefined)
    .map(field => t(`now.fields.${field}`));
}

/** A card number in groups of four, as it is printed. */
const spaced = (text: string): string => text.replace(/(.{4})(?=.)/g, '$1 ');

const clockOn = (ms: number, nowMs: number): string =>
  startOfDay(ms) === startOfDay(nowMs) ? formatClock(ms) : `${formatDay(ms)} ${formatClock(ms)}`;
