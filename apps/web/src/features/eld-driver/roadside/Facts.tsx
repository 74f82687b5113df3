import type { LogDay, MyDuty } from '@milepost/contract';
import { metres } from '@milepost/units';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joined, wholeDistanceFigure } from '../../../format/measure.ts';
import { useMeasureSystem } from '../../../format/use-measure-system.ts';
import { homeMoment, homeOffset, homeTime, homeZone } from '../../../logbook/home-time.ts';
import view from './Roadside.module.css';

/** Driver, carrier, truck, rule, load and distance. */
const FIRST = 6;

/** Who rode along on this day; what an older server did not say follows from the vehicle that the driver is in. */
function coDriversOn({ display, vehicle }: MyDuty, { from, to }: LogDay): { names: string; ids: string } {
  const riding = display
    ? display.coDrivers.filter(one => one.from < to && (one.to === null || one.to > from))
    : vehicle?.coDriver
      ? [vehicle.coDriver]
      : [];
  const listed = (all: readonly string[]) => [...new Set(all)].filter(Boolean).join(', ');
  return { names: listed(riding.map(({ name }) => name)), ids: listed(riding.map(({ driverId }) => driverId)) };
}

const of = (...parts: readonly (string | null | undefined)[]): string => parts.filter(Boolean).join(' · ');

/**
 * Header of the display, as listed in Appendix A, 4.8.1.3: what an officer looks at first, above the graph, and the rest
 * below it. Unknown values show as a dash, never as a guess.
 */
export function Facts({
  duty,
  day,
  part,
}: {
  readonly duty: MyDuty;
  readonly day: LogDay;
  readonly part: 'first' | 'rest';
}) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  const system = useMeasureSystem();
  const { carrier, display, driver, row, vehicle } = duty;
  const { terminal } = driver;
  // The truck and load of now belong to today alone.
  const isToday = duty.now < day.to;
  const vins = [...new Set(day.records.map(({ vin }) => vin))].filter(Boolean).join(', ');
  const coDrivers = coDriversOn(duty, day);
  // Sign-in and engine records contain the vehicle's totals. Days are newest first: the current ones, on each day.
  const total = duty.days
    .flatMap(({ records }) => records.toReversed())
    .find(({ hours, miles, type }) => (type === 5 || type === 6) && (miles ?? hours) !== null);
  const rows: readonly (readonly [label: string, strong: string, rest?: ReactNode])[] = [
    [t('roadside.driver'), driver.name, of(driver.licenceRegion, driver.licenceNumber)],
    [
      t('roadside.carrier'),
      carrier.name,
      of(
        carrier.usdotNumber === null ? t('roadside.noUsdot') : t('roadside.usdot', { number: carrier.usdotNumber }),
        carrier.authorityNumber,
      ),
    ],
    [
      t('roadside.truck'),
      day.vehicles.join(', ') || (isToday && vehicle?.deviceName) || '',
      vins || (isToday && vehicle?.vin) || '',
    ],
    [
      t('roadside.rule'),
      t(`logbook:ruleSet.${driver.ruleSet}`),
      `${homeTime(Date.parse(day.from), day.timeZone)} ${homeZone(Date.parse(day.from), day.timeZone)}, ${homeOffset(Date.parse(day.from), day.timeZone)}`,
    ],
    [
      t('roadside.load'),
      day.trailers.join(', ') || (isToday && duty.trailers) || '',
      day.shippingDocuments.join(', ') || (isToday && duty.shippingDocument) || '',
    ],
    [
      t('roadside.distance'),
      day.distanceKm === null ? '' : joined(wholeDistanceFigure(metres(day.distanceKm * 1000), system)),
    ],
    [
      t('roadside.mainOffice'),
      carrier.mainOffice ?? '',
      t('roadside.homeTerminal', { terminal: of(terminal.name, terminal.address) }),
    ],
    [t('roadside.driverId'), display?.driverId ?? driver.driverId],
    [t('roadside.coDriver'), coDrivers.names || t('roadside.noCoDriver'), coDrivers.ids],
    [
      t('roadside.odometer'),
      total?.miles == null ? '' : t('roadside.miles', { miles: total.miles }),
      total?.hours == null ? t('roadside.noHours') : t('roadside.hours', { hours: total.hours.toFixed(1) }),
    ],
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
      {(part === 'first' ? rows.slice(0, FIRST) : rows.slice(FIRST)).map(([label, strong, rest]) => (
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
