import type { LogDay, MyDuty } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { homeMoment } from '../../../logbook/home-time.ts';
import { OfficerRecords } from './OfficerRecords.tsx';
import view from './Roadside.module.css';

/** Records of a day that nobody has claimed, as a report of its own (Appendix A, 4.8.1.3). */
export function UnidentifiedReport({ duty, day }: { readonly duty: MyDuty; readonly day: LogDay }) {
  const { t } = useTranslation('eldDriverMore');
  const records = unidentifiedOn(duty, day);
  const vehicles = new Map(records.map(({ vehicle, vin }) => [vehicle, vin]));
  const { carrier } = duty;
  return (
    <>
      <dl className={view.facts}>
        <div>
          <dt>{t('roadside.driver')}</dt>
          <dd>
            <b>{t('roadside.unidentifiedDriver')}</b>
          </dd>
        </div>
        <div>
          <dt>{t('roadside.carrier')}</dt>
          <dd>
            <b>{carrier.name || t('roadside.none')}</b>
            <span>
              {carrier.usdotNumber === null
                ? t('roadside.noUsdot')
                : t('roadside.usdot', { number: carrier.usdotNumber })}
            </span>
          </dd>
        </div>
        <div>
          <dt>{t('roadside.truck')}</dt>
          <dd>
            <b>{[...vehicles.keys()].join(', ') || duty.vehicle?.deviceName || t('roadside.none')}</b>
            <span>{[...vehicles.values()].filter(Boolean).join(', ')}</span>
          </dd>
        </div>
        <div>
          <dt>{t('roadside.eldId')}</dt>
          <dd>
            <b>MLPOST · Milepost</b>
            <span>{t('roadside.shownAt', { time: homeMoment(Date.parse(duty.now), day.timeZone) })}</span>
          </dd>
        </div>
      </dl>
      <OfficerRecords day={{ ...day, records }} />
    </>
  );
}

export const unidentifiedOn = ({ unidentified = [] }: MyDuty, { from, to }: LogDay) =>
  unidentified.filter(({ at }) => Date.parse(at) >= Date.parse(from) && Date.parse(at) < Date.parse(to));
