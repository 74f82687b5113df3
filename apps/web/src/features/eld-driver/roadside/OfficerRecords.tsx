import type { LogDay } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { homeClock } from '../../../logbook/home-time.ts';
import frame from '../../../ui/table.module.css';
import { originWords, recordWords } from '../log/Records.tsx';
import view from './Roadside.module.css';

/** All records of the day with the fields of the regulation's report. */
export function OfficerRecords({ day }: { readonly day: LogDay }) {
  const { t } = useTranslation(['eldDriverMore', 'eldDriver', 'logbook']);
  if (day.records.length === 0) return <p className={view.none}>{t('log.noRecords')}</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
    <section className={view.table} tabIndex={0} aria-label={t('log.records')}>
      <table className={frame.table}>
        <thead>
          <tr>
            <th scope="col">{t('table.time')}</th>
            <th scope="col">{t('table.status')}</th>
            <th scope="col">{t('table.place')}</th>
            <th scope="col">{t('table.note')}</th>
            <th scope="col">{t('table.origin')}</th>
            <th scope="col" data-align="end">
              {t('table.miles')}
            </th>
            <th scope="col" data-align="end">
              {t('table.hours')}
            </th>
            <th scope="col">{t('table.sequence')}</th>
          </tr>
        </thead>
        <tbody>
          {day.records.map(record => (
            <tr key={record.id} data-inactive={record.state !== 'active' || undefined}>
              <td>{homeClock(Date.parse(record.at), day.timeZone)}</td>
              <td>
                {record.status} {recordWords(t, record)}
                {record.state !== 'active' && ` · ${t('log.inactive')}`}
              </td>
              <td>{record.place}</td>
              <td>{record.note}</td>
              <td>{record.origin === 'driver' ? t('roadside.byDriver') : originWords(t, record)}</td>
              <td data-align="end">{record.miles}</td>
              <td data-align="end">{record.hours}</td>
              <td>{record.sequence}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
