import { useTranslation } from 'react-i18next';
import { CopyLine } from '../../../forms/CopyLine.tsx';
import { Card } from '../Card.tsx';
import styles from './AddressesCard.module.css';

const ADDRESSES = [
  { id: 'openTelematics', path: '/api/otapi/v1.0' },
  { id: 'events', path: '/api/v1/events' },
  { id: 'mqtt', path: '/mqtt' },
  { id: 'geojson', path: '/api/v1/geojson' },
  { id: 'api', path: '/docs' },
] as const;

/** The addresses that programs connect to with a token, and what each gives. */
export function AddressesCard() {
  const { t } = useTranslation('profile');
  const { origin } = window.location;
  const addressOf = ({ id, path }: (typeof ADDRESSES)[number]): string =>
    `${id === 'mqtt' ? origin.replace(/^http/, 'ws') : origin}${path}`;
  return (
    <Card title={t('addresses.title')} lead={t('addresses.lead')}>
      <dl className={styles.list}>
        {ADDRESSES.map(address => {
          const name = t(`addresses.${address.id}.name`);
          return (
            <div key={address.id}>
              <dt>{name}</dt>
              <dd>
                <p>{t(`addresses.${address.id}.text`)}</p>
                <CopyLine
                  text={addressOf(address)}
                  label={t('addresses.copy', { name })}
                  copied={t('addresses.copied')}
                />
              </dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}
