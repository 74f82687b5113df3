import type { Overview } from '@milepost/contract';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { formatTotal } from '../../../format/duration.ts';
import { numberFormat } from '../../../format/locale.ts';
import { buttonLook } from '../../../ui/Button.tsx';
import card from '../card.module.css';
import styles from './DetentionCard.module.css';

interface Props {
  readonly detention: NonNullable<Overview['detention']>;
  /** Link to the report behind it, if there is a report of the same vehicles. */
  readonly link: string | null;
}

/** How long vehicles waited at customers beyond the free time, what that costs, and where. */
export function DetentionCard({ detention, link }: Props) {
  const { t } = useTranslation('overview');
  const { cost, currency, places, previous, seconds, visits } = detention;
  const money = (amount: number): string => numberFormat({ style: 'currency', currency }).format(amount);
  return (
    <section className={card.card} aria-labelledby="overview-detention">
      <div className={styles.band}>
        <div className={styles.sum}>
          <h2 id="overview-detention">{t('detention.title')}</h2>
          <p>
            <b>{money(cost)}</b> <span>{formatTotal(seconds * 1000)}</span>
          </p>
          <small>
            {[
              t('detention.visits', { count: visits }),
              previous &&
                t('detention.before', { cost: money(previous.cost), time: formatTotal(previous.seconds * 1000) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </small>
        </div>
        {places.length === 0 ? (
          <p className={styles.none}>{t('detention.none')}</p>
        ) : (
          <ul>
            {places.map(place => (
              <li key={place.geofenceId}>
                <b>{place.name}</b>
                <span>
                  {money(place.cost)} · {formatTotal(place.seconds * 1000)} ·{' '}
                  {t('detention.visits', { count: place.visits })}
                </span>
              </li>
            ))}
          </ul>
        )}
        {link !== null && (
          <Link to={link} className={buttonLook({})}>
            {t('detention.report')}
          </Link>
        )}
      </div>
    </section>
  );
}
