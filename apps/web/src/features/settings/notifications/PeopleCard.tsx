import { useTranslation } from 'react-i18next';
import { formatCount } from '../../../format/locale.ts';
import tables from '../../../ui/table.module.css';
import { Card } from '../SectionFrame.tsx';
import type { NotificationsAnswer } from './notification-settings.ts';

/** Who got how many alerts by email and push in the last seven days. */
export function PeopleCard({ people }: Pick<NotificationsAnswer, 'people'>) {
  const { t } = useTranslation('notifications');
  return (
    <Card title={t('people.title')} text={t('people.text')}>
      {people.length === 0 ? (
        <p>{t('people.none')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by keyboard.
        <section className={tables.scroller} aria-label={t('people.title')} tabIndex={0}>
          <table className={tables.table}>
            <thead>
              <tr>
                <th scope="col">{t('people.who')}</th>
                <th scope="col">{t('people.week')}</th>
                <th scope="col">{t('people.most')}</th>
                <th scope="col">{t('people.beyond')}</th>
                <th scope="col">{t('people.limit')}</th>
              </tr>
            </thead>
            <tbody>
              {people.map(({ dailyLimit, name, received, userId }) => {
                const sum = (of: 'alerts' | 'beyond'): number => received.reduce((total, day) => total + day[of], 0);
                const most = Math.max(0, ...received.map(({ alerts, beyond }) => alerts + beyond));
                return (
                  <tr key={userId}>
                    <th scope="row">{name}</th>
                    <td>{formatCount(sum('alerts') + sum('beyond'))}</td>
                    <td>{formatCount(most)}</td>
                    <td>{formatCount(sum('beyond'))}</td>
                    <td>{dailyLimit === null ? t('people.noLimit') : formatCount(dailyLimit)}</td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </Card>
  );
}
