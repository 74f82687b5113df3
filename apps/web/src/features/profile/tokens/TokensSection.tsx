import { deleteApiToken, deleteCalendar, listApiTokens, listCalendars } from '@milepost/contract';
import { IconCalendarEvent, IconPlugConnected } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../base/api.ts';
import { formatDateOf } from '../../../format/date.ts';
import { AddressesCard } from './AddressesCard.tsx';
import { NewCalendar } from './NewCalendar.tsx';
import { NewToken } from './NewToken.tsx';
import { SecretsCard } from './SecretsCard.tsx';

const day = (iso: string): string => formatDateOf(Date.parse(iso));

/**
 * What programs read with: tokens that let them act for the user, with limited permissions and an expiry; the addresses
 * to use them at; and calendars, each by a secret address.
 */
export function TokensSection() {
  const { t } = useTranslation('profile');
  return (
    <>
      <SecretsCard
        kind="tokens"
        list={() => call(listApiTokens)}
        remove={id => call(deleteApiToken, { params: { id } })}
        icon={<IconPlugConnected size={20} stroke={1.75} aria-hidden />}
        factsOf={({ expiresAt, lastSeenAt, scopes }) =>
          t('tokens.facts', {
            count: scopes.length,
            until: day(expiresAt),
            used: lastSeenAt ? day(lastSeenAt) : t('tokens.never'),
          })
        }
        New={NewToken}
      />
      <AddressesCard />
      <SecretsCard
        kind="calendars"
        list={() => call(listCalendars)}
        remove={id => call(deleteCalendar, { params: { id } })}
        icon={<IconCalendarEvent size={20} stroke={1.75} aria-hidden />}
        factsOf={({ include, lastReadAt }) =>
          [
            include.map(part => t(`calendars.parts.${part}`)).join(', '),
            lastReadAt ? t('calendars.read', { day: day(lastReadAt) }) : t('calendars.neverRead'),
          ].join(' · ')
        }
        New={NewCalendar}
      />
    </>
  );
}
