import type { Driver } from '@milepost/contract';
import { IconCreditCard, IconId } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useAccountSettings } from '../../../base/account-settings.ts';
import { useExpiry } from '../../../documents/use-expiry.ts';
import { licenceOf } from './filters.ts';
import styles from './Watch.module.css';

interface Props {
  readonly people: readonly Driver[];
  readonly onFilter: (filters: Readonly<Record<string, readonly string[]>>) => void;
}

/** Counts of people who need attention; pressing a count shows them. */
export function Watch({ people, onFilter }: Props) {
  const { t } = useTranslation('personal');
  const expiryOf = useExpiry();
  const { warnBeforeExpiryDays: days } = useAccountSettings();
  const active = people.filter(({ archived }) => !archived);
  const licences = active.map(person => licenceOf(person, expiryOf));
  const ended = licences.filter(licence => licence === 'ended').length;
  const ending = licences.filter(licence => licence === 'ending').length;
  const withoutCard = active.filter(({ card }) => card === null).length;
  if (ended + ending + withoutCard === 0) return null;
  return (
    <ul className={styles.watch}>
      {ended > 0 && (
        <li data-tone="critical">
          <button type="button" onClick={() => onFilter({ licence: ['ended'] })}>
            <IconId size={16} stroke={1.75} aria-hidden />
            {t('watch.ended', { count: ended })}
          </button>
        </li>
      )}
      {ending > 0 && (
        <li data-tone="warning">
          <button type="button" onClick={() => onFilter({ licence: ['ending'] })}>
            <IconId size={16} stroke={1.75} aria-hidden />
            {t('watch.ending', { count: ending, days })}
          </button>
        </li>
      )}
      {withoutCard > 0 && (
        <li>
          <button type="button" onClick={() => onFilter({ card: ['none'] })}>
            <IconCreditCard size={16} stroke={1.75} aria-hidden />
            {t('watch.withoutCard', { count: withoutCard })}
          </button>
        </li>
      )}
    </ul>
  );
}
