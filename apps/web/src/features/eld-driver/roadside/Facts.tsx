import type { LogDay, MyDuty } from '@milepost/contract';
import { metres } from '@milepost/units';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joined, wholeDistanceFigure } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { homeMoment, homeTime, homeZone } from '../../../logbook/home-time.ts';
import view from './Roadside.module.css';

const of = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(' · ');

/** Header of the display, as listed in Appendix A, 4.8.1.3. Unknown values show as a dash, never as a guess. */
export function Facts({ duty, day }: { readonly duty: MyDuty; readonly day: LogDay }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const system = useMeasureSystem();
  const { carrier, driver, row, vehicle } = duty;
  // Sign-in and engine records contain the vehicle's totals.
  const total = day.records.findLast(
    ({ hours, miles, type }) => (type === 5 || type === 6) && (miles ?? hours) !== null,
  );
  const rows: readonly (readonly [label: string, strong: string, rest?: ReactNode])[] = [
    [t('roadside.driver'), driver.name, of(driver.licenceRegion, driver.licenceNumber)],
    [
      t('roadside.carrier'),
      carrier.name,
      carrier.usdotNumber === null ? t('roadside.noUsdot') : t('roadside.usdot', { number: carrier.usdotNumber }),
    ],
    [
      t('roadside.truck'),
      day.vehicles.join(', ') || vehicle?.deviceName || '',
      vehicle?.vin ?? day.records.at(-1)?.vin,
    ],
    [
      t('roadside.rule'),
      t(`logbook:ruleSet.${driver.ruleSet}`),
      `${homeTime(Date.parse(day.from), day.timeZone)} ${homeZone(Date.parse(day.from), day.timeZone)}`,
    ],
    [
      t('roadside.load'),
      day.trailers.join(', ') || duty.trailers,
      day.shippingDocuments.join(', ') || duty.shippingDocument,
    ],
    [
      t('roadside.distance'),
      day.distanceKm === null ? '' : joined(wholeDistanceFigure(metres(day.distanceKm * 1000), system)),
    ],
    [t('roadside.driverId'), driver.driverId],
    [t('roadside.coDriver'), vehicle?.coDriver?.name ?? t('roadside.noCoDriver'), vehicle?.coDriver?.driverId],
    [t('roadside.odometer'), of(total?.miles?.toString(), total?.hours?.toFixed(1))],
    [t('roadside.place'), row.place ?? ''],
    [
      t('roadside.exempt'),
      driver.settings.isExempt
        ? t('roadside.isExempt', { reason: driver.settings.exemptReason ?? '' })
        : t('roadside.notExempt'),
    ],
    [
      t('roadside.eldId'),
      'MLPOST · Milepost',
      t('roadside.shownAt', { time: homeMoment(Date.parse(duty.now), day.timeZone) }),
    ],
  ];
  return (
    <dl className={view.facts}>
      {rows.map(([label, strong, rest]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <b>{strong || t('roadside.none')}</b>
            {rest && <span>{rest}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
