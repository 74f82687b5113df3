import { useTranslation } from 'react-i18next';
import { formatDate, isoDateOf } from '../../../format/date.ts';
import { ReadState } from '../../../registry/ReadState.tsx';
import { SectionFrame } from '../SectionFrame.tsx';
import { DeliveryCard } from './DeliveryCard.tsx';
import { NotificationsForm } from './NotificationsForm.tsx';
import { useNotificationSettings } from './notification-settings.ts';
import { PeopleCard } from './PeopleCard.tsx';

/** Which alerts are sent by e-mail, the quiet hours, and how delivery is going. */
export function NotificationsSection() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useNotificationSettings();
  const title = t('sections.notifications');
  if (!data) {
    return (
      <SectionFrame title={title}>
        <ReadState error={error} onRetry={() => void refetch()} />
      </SectionFrame>
    );
  }
  const { changed } = data;
  const note =
    changed && t('changedBy', { who: changed.by ?? t('server'), date: formatDate(isoDateOf(Date.parse(changed.at))) });
  return (
    <SectionFrame title={title} note={note}>
      <NotificationsForm answer={data} />
      <PeopleCard people={data.people} />
      <DeliveryCard delivery={data.delivery} />
    </SectionFrame>
  );
}
