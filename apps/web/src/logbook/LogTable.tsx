import { useTranslation } from 'react-i18next';
import { formatHours } from '../format/duration.ts';
import { DutyChip } from '../ui/DutyChip.tsx';
import frame from '../ui/table.module.css';
import { homeTime, logDate } from './home-time.ts';
import type { GraphDay } from './LogGraph.tsx';
import { spansOf } from './log-shape.ts';

/** The graph as a table with one row per segment. */
export function LogTable({ day }: { readonly day: GraphDay }) {
  const { t } = useTranslation('logbook');
  return (
    <table className={frame.table}>
      <caption hidden>{t('table.caption', { date: logDate(day.date) })}</caption>
      <thead>
        <tr>
          <th scope="col">{t('table.from')}</th>
          <th scope="col">{t('table.to')}</th>
          <th scope="col">{t('table.status')}</th>
          <th scope="col" data-align="end">
            {t('table.length')}
          </th>
        </tr>
      </thead>
      <tbody>
        {spansOf(day).map(({ status, fromMs, toMs }) => (
          <tr key={fromMs}>
            <td>{homeTime(fromMs, day.timeZone)}</td>
            <td>{homeTime(toMs, day.timeZone)}</td>
            <td>
              <DutyChip status={status} label={t(`status.${status}`)} />{' '}
              <span aria-hidden="true">{t(`status.${status}`)}</span>
            </td>
            <td data-align="end">{formatHours(toMs - fromMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
