import { listDrivers, may, readPrivacyOverview } from '@milepost/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { call } from '../../../base/api.ts';
import { useSession } from '../../../base/session/session.ts';
import { formatCount } from '../../../format/locale.ts';
import { paths } from '../../../paths.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { buttonLook } from '../../../ui/Button.tsx';
import { SelectField } from '../../../ui/SelectField.tsx';
import { Card } from '../SectionFrame.tsx';
import styles from './LedgerOverview.module.css';

/** What the privacy ledger says of the whole account, in numbers, and the way to one driver's list. */
export function LedgerOverview() {
  const { t } = useTranslation(['settings', 'privacy']);
  const mayRead = useSession(({ me }) => me !== null && may(me, 'audit.read') && may(me, 'drivers.read'));
  const { data, error, refetch } = useQuery({
    queryKey: ['privacy-overview'],
    queryFn: () => call(readPrivacyOverview),
    staleTime: 0,
  });
  return (
    <Card title={t('privacy.last30')} text={t('privacy.last30Text')}>
      {data === undefined && <ReadState error={error} onRetry={() => void refetch()} />}
      {data?.kinds.length === 0 && <p>{t('privacy.none')}</p>}
      {data !== undefined && data.kinds.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('privacy.kindColumn')}</th>
              <th scope="col">{t('privacy.looksColumn')}</th>
              <th scope="col">{t('privacy.peopleColumn')}</th>
              <th scope="col">{t('privacy.driversColumn')}</th>
            </tr>
          </thead>
          <tbody>
            {data.kinds.map(({ drivers, kind, looks, people }) => (
              <tr key={kind}>
                <th scope="row">{t(`privacy:kind.${kind}`)}</th>
                <td>{formatCount(looks)}</td>
                <td>{formatCount(people)}</td>
                <td>{formatCount(drivers)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {data && <p>{t('privacy.access', { with: data.driversWithAccess, count: data.drivers })}</p>}
      {mayRead && <OfDriver />}
    </Card>
  );
}

function OfDriver() {
  const { t } = useTranslation('settings');
  const [chosen, setChosen] = useState('');
  const { data = [] } = useQuery({ queryKey: ['drivers-of-ledger'], queryFn: () => call(listDrivers) });
  const drivers = data.filter(({ archived }) => !archived).toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <div className={styles.choice}>
      <SelectField
        label={t('privacy.ofDriver')}
        value={chosen}
        onChange={event => setChosen(event.target.value)}
        options={[
          { value: '', label: t('privacy.choose') },
          ...drivers.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      {chosen !== '' && (
        <Link to={paths.ledgerOf(chosen)} className={buttonLook()}>
          {t('privacy.read')}
        </Link>
      )}
    </div>
  );
}
