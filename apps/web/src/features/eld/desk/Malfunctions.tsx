import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import { useMinute } from '../../../live/view.ts';
import { Chip } from '../../../ui/Chip.tsx';
import { Plate } from '../../../ui/Plate.tsx';
import { malfunctionsQuery } from '../queries.ts';
import { isMalfunction } from './cells.tsx';
import styles from './List.module.css';
import { Listed } from './Listed.tsx';
import { useDeskTimes } from './use-desk-times.ts';

const DAY_MS = 86_400_000;

/** Malfunctions and data diagnostics in plain words, what to do about them, and by when. */
export function Malfunctions() {
  const { t } = useTranslation(['eld', 'logbook']);
  const query = useQuery(malfunctionsQuery);
  const { day, moment } = useDeskTimes();
  const nowMs = useMinute();
  return (
    <Listed
      query={query}
      label={t('tabs.malfunctions')}
      heads={[
        t('columns.unit'),
        t('malfunctions.what'),
        t('malfunctions.todo'),
        t('columns.since'),
        t('malfunctions.repairBy'),
      ]}
      empty={{ title: t('malfunctions.empty.title'), text: t('malfunctions.empty.text') }}
      row={({ vehicle, code, since, clearedAt, driverName, repairBy }) => {
        const days = repairBy === null ? null : Math.ceil((Date.parse(repairBy) - nowMs) / DAY_MS);
        const known = code as 'P';
        return (
          <tr key={`${vehicle.id} ${code} ${since}`}>
            <th scope="row">
              <Plate>{vehicle.deviceName}</Plate>
              {driverName && <span className={styles.second}>{driverName}</span>}
            </th>
            <td>
              <Chip tone={clearedAt ? 'neutral' : isMalfunction(code) ? 'critical' : 'warning'}>
                {t(isMalfunction(code) ? 'board.malfunction' : 'board.diagnostic', { code })}
              </Chip>
              <span className={styles.second}>{t(`logbook:fault.${known}`)}</span>
            </td>
            <td>{t(`todo.${known}`)}</td>
            <td className={styles.nowrap}>
              {moment(since)}
              {clearedAt && (
                <span className={styles.second}>{t('malfunctions.cleared', { time: moment(clearedAt) })}</span>
              )}
            </td>
            <td className={styles.nowrap}>
              {repairBy !== null && days !== null && clearedAt === null && (
                <Chip tone={days <= 2 ? 'critical' : 'warning'}>
                  {days > 0
                    ? t('malfunctions.daysLeft', {
                        count: days,
                        n: formatCount(days),
                        date: day(repairBy),
                      })
                    : t('malfunctions.overdue', { date: day(repairBy) })}
                </Chip>
              )}
            </td>
          </tr>
        );
      }}
    />
  );
}
