import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { clockFigure } from '../../../format/duration.ts';
import { homeTime, logDate } from '../../../logbook/home-time.ts';
import { availabilityQuery } from '../queries.ts';
import styles from './HoursAhead.module.css';

/** How long the driver could drive in the next 24 hours and 8 days, if they rest from now on. */
export function HoursAhead({ driverId }: { readonly driverId: string }) {
  const { t } = useTranslation('eld');
  const { data } = useQuery(availabilityQuery(driverId));
  if (!data) return null;
  const getsBack = data.days.some(({ backS }) => backS > 0);
  const most = Math.max(1, ...data.hours.map(({ drivingS }) => drivingS));
  return (
    <section className={styles.ahead} aria-label={t('ahead.title')}>
      <h3>{t('ahead.title')}</h3>
      <p>{t('ahead.text')}</p>
      <ol className={styles.hours} aria-label={t('ahead.hours')}>
        {data.hours.map(({ at, drivingS }, hour) => (
          <li key={at}>
            <i
              role="img"
              aria-label={`${homeTime(Date.parse(at), data.timeZone)} · ${clockFigure(drivingS)}`}
              title={`${homeTime(Date.parse(at), data.timeZone)} · ${clockFigure(drivingS)}`}
              style={{ height: `${(drivingS / most) * 40}px` }}
            />
            {hour % 6 === 0 && hour < 24 && <small aria-hidden="true">{homeTime(Date.parse(at), data.timeZone)}</small>}
          </li>
        ))}
      </ol>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('ahead.day')}</th>
            <th scope="col">{t('ahead.driving')}</th>
            <th scope="col">{t('ahead.cycle')}</th>
            {getsBack && <th scope="col">{t('ahead.back')}</th>}
          </tr>
        </thead>
        <tbody>
          {data.days.map(({ backS, cycleLeftS, date, drivingS }) => (
            <tr key={date}>
              <th scope="row">{logDate(date)}</th>
              <td>{clockFigure(drivingS)}</td>
              <td>{clockFigure(cycleLeftS)}</td>
              {getsBack && <td>{backS > 0 ? `+${clockFigure(backS)}` : ''}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
